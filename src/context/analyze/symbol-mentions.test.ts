import { describe, expect, it } from 'vitest';
import { analyzeTask } from './analyze-task.ts';

/** `form a.b.c` of every symbol, with the zone in front if it is not prose. */
function symbols(text: string): string[] {
  return analyzeTask(text).symbols.map(
    ({ form, qualifiers, name }) => `${form} ${[...qualifiers, name].join('.')}`,
  );
}

describe('symbols', () => {
  it.each([
    ['the `parse` function', 'backtick parse'],
    ['the `parse()` function', 'backtick parse'],
    ['the ``parse`` function', 'backtick parse'],
    ['the `Foo.parse(x)` function', 'backtick Foo.parse'],
    ['the `$value` variable', 'backtick value'],
    ['calling parse() twice', 'call parse'],
    ['calling Foo.parse() twice', 'call Foo.parse'],
    ['in `next(r.iter_content(16))` it', 'call r.iter_content'],
    ['Foo.bar is null', 'qualified Foo.bar'],
    ['Foo::bar is null', 'qualified Foo.bar'],
    ['Foo#bar is null', 'qualified Foo.bar'],
    ['$this->load is null', 'qualified this.load'],
    ['user?.name is null', 'qualified user.name'],
    ['App\\Models\\User is null', 'qualified App.Models.User'],
    ['the max_length of it', 'compound max_length'],
    ['the CompoundModel of it', 'compound CompoundModel'],
    ['the camelCase of it', 'compound camelCase'],
    ['an HTTPServer of it', 'compound HTTPServer'],
    ['the __init__ of it', 'compound __init__'],
    ['the _private of it', 'compound _private'],
    ['the NO_FCP error', 'compound NO_FCP'],
    ['a Linear1D model', 'compound Linear1D'],
    ['the Calendar is wide', 'capitalized Calendar'],
    ['with LPOP and more', 'capitalized LPOP'],
    ['render <Calendar /> twice', 'call Calendar'],
    ['```js\nconst x = makeThing(1);\n```', 'call makeThing'],
    ['```py\nclass Thing:\n```', 'capitalized Thing'],
    ['```py\nmodels.CharField(max_length=3)\n```', 'call models.CharField'],
    ['größe_ändern bricht', 'compound größe_ändern'],
  ])('%s -> %s', (text, expected) => expect(symbols(`title of it\n\n${text}`)).toContain(expected));

  it.each([
    ['It happens. Calendar breaks', 'Calendar'],
    ['- Calendar breaks', 'Calendar'],
    ['the option(s) given', 'option'],
    ['e.g. this', 'g'],
    ['if (x) do', 'if'],
    ['on GitHub and macOS', 'GitHub'],
    ['several URLs here', 'URLs'],
    ['see settings.py', 'py'],
    ['see src/someThing/x.ts', 'someThing'],
    ['in 1.2.3', '2'],
    ['https://example.com/SomeThing.html', 'SomeThing'],
    ['the plain word', 'plain'],
  ])('%s has no %s', (text, name) => {
    expect(analyzeTask(`title of it\n\n${text}`).symbols.map((symbol) => symbol.name)).not.toContain(name);
  });

  it('counts the same name once per form and zone', () => {
    const found = analyzeTask(
      'fix parse_url\n\nparse_url fails, `parse_url` too, and parse_url again',
    ).symbols;
    expect(found.filter(({ name }) => name === 'parse_url')).toEqual([
      { name: 'parse_url', qualifiers: [], form: 'compound', zone: 'title', count: 1 },
      { name: 'parse_url', qualifiers: [], form: 'compound', zone: 'lead', count: 2 },
      { name: 'parse_url', qualifiers: [], form: 'backtick', zone: 'lead', count: 1 },
    ]);
  });
});
