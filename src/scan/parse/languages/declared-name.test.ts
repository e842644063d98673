import { describe, expect, it } from 'vitest';
import { declaredName } from './c-family.ts';

describe('declaredName', () => {
  it.each([
    ['x', 'x', false, ''],
    ['*p', 'p', false, ''],
    ['limits[] = { 1, 2 }', 'limits', false, ''],
    ['run(int a)', 'run', true, ''],
    ['**deep(void)', 'deep', true, ''],
    ['(*callback)(int)', 'callback', false, ''],
    ['(*signal(int sig, void (*func)(int)))(int)', 'signal', true, ''],
    ['(plain)(int)', 'plain', true, ''],
    ['(*handlers[2])(int)', 'handlers', false, ''],
    ['&& moved()', 'moved', true, ''],
    ['Foo::bar(int x)', 'bar', true, 'Foo'],
    ['a::b::Foo<T>::Foo(int a)', 'Foo', true, 'a::b::Foo<T>'],
    ['Foo::~Foo()', '~Foo', true, 'Foo'],
    ['& operator=(const Foo& o)', 'operator=', true, ''],
    ['operator()(int a) const', 'operator()', true, ''],
    ['operator<<(std::ostream& os)', 'operator<<', true, ''],
    ['Foo::operator bool() const', 'operator bool', true, 'Foo'],
    ['operator new[](size_t n)', 'operator new[]', true, ''],
    ['__restrict p', 'p', false, ''],
    ['const p', 'p', false, ''],
    ['__wrap_malloc(size_t n)', '__wrap_malloc', true, ''],
    ['FOO (int a)', 'FOO', true, ''],
    ['API_CALL name(int a)', 'name', true, ''],
    ['operator_list', 'operator_list', false, ''],
    ['operators(int a)', 'operators', true, ''],
  ])('finds the name in %s', (declarator, name, isFunction, scope) => {
    expect(declaredName(declarator)).toMatchObject({ name, isFunction, scope });
  });

  it('points at the name', () => {
    const found = declaredName('a::b::Foo<T>::ptr() const');
    expect('a::b::Foo<T>::ptr() const'.slice(found!.at)).toBe('ptr() const');
  });

  it('says no to what declares nothing', () => {
    expect(declaredName('= 3')).toBeNull();
    expect(declaredName('')).toBeNull();
  });
});
