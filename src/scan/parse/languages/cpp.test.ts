import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { cpp } from './cpp.ts';

const SNIPPET = `#include <vector>
#include "a.hpp"
import std;
module;
export module foo.bar;
namespace a::b { namespace { int hidden = 1; } }
namespace fs = std::filesystem;
using namespace std;
using Map = std::map<int, int>;
template <typename T> using Vec = std::vector<T>;
template <typename T, int N = 3>
requires Small<T>
class Foo : public Bar<T>, private Baz {
 public:
  Foo() : x_(1) {}
  explicit Foo(int a = 3);
  virtual ~Foo() = default;
  Foo(const Foo&) = delete;
  Foo& operator=(const Foo& o);
  operator bool() const { return true; }
  bool operator()(int a) const;
  static int count;
  virtual void run(Ctx& ctx) const override = 0;
  auto name() const -> std::string { return name_; }
  const std::string& ref() const { return n; }
  T* ptr();
  template <class U> U cast(U u) { return u; }
  friend std::ostream& operator<<(std::ostream& os, const Foo& f);
  friend class Other;
  enum class Kind : int { A, B = 2 };
  struct Inner { int z; };
  using value_type = T;
 private:
  int x_ = 1, y_{2};
  std::vector<int> list_;
  std::function<void(int)> cb_ = [](int){};
};
template <> class Foo<int> { };
void Foo::bar(int x) { int l = 1; }
a::b::Foo<T>::Foo(int a) : x_(a) {}
template <typename T>
T* Foo<T>::ptr() { return 0; }
Foo::~Foo() {}
std::ostream& operator<<(std::ostream& os, const Foo& f) { return os; }
bool Foo::operator==(const Foo& o) const { return true; }
Foo::operator bool() const { return 1; }
int Foo::count = 0;
constexpr int kMax = 10;
inline constexpr std::array<int, 3> kTable = {
  1, 2, 3 };
template <typename T> concept Small = sizeof(T) < 4;
extern "C" { int c_fn(int a); }
extern "C" void c_one(void) {}
TEST(FooTest, DoesIt) { EXPECT_EQ(1, 2); }
class API_EXPORT Exported : public Base { void go(); };
[[nodiscard]] int attributed();
auto lam = [](int a) { return a; };
enum { ANON1, ANON2 };
static struct { int q; } anon_inst;
__global__ void kernel(float *x) { }
std::unique_ptr<Foo> make(int a) { return nullptr; }
int& refret(int a);
int&& rr();
union U { int i; };
typedef struct { int x; } S;
class LLVM_API Exported : public Base {
public:
  Exported();
  void go();
  int x;
private:
  int y = 1;
};
static int __init my_init(int a, struct x *y)
{
  return 0;
}
TEST_CASE("adds numbers", "[math]") { int a; }
BOOST_AUTO_TEST_CASE(name) { }
Q_OBJECT
void foo::bar() noexcept(true) { }
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(cpp, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('C++', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(cpp, SNIPPET))).toEqual([
      'module a::b',
      'variable a::b.hidden',
      'module fs',
      'type Map',
      'type Vec',
      'class Foo',
      'constructor Foo.Foo',
      'constructor Foo.Foo',
      'method Foo.~Foo',
      'constructor Foo.Foo',
      'method Foo.operator=',
      'method Foo.operator bool',
      'method Foo.operator()',
      'property Foo.count',
      'method Foo.run',
      'method Foo.name',
      'method Foo.ref',
      'method Foo.ptr',
      'constructor Foo.cast',
      'method Foo.operator<<',
      'enum Foo.Kind',
      'enum-member Foo.Kind.A',
      'enum-member Foo.Kind.B',
      'struct Foo.Inner',
      'property Foo.Inner.z',
      'type Foo.value_type',
      'property Foo.x_',
      'property Foo.y_',
      'property Foo.list_',
      'property Foo.cb_',
      'class Foo',
      'method bar',
      'constructor Foo',
      'method ptr',
      'method ~Foo',
      'function operator<<',
      'method operator==',
      'method operator bool',
      'variable count',
      'constant kMax',
      'constant kTable',
      'type Small',
      'function c_fn',
      'function c_one',
      'test FooTest.DoesIt',
      'class Exported',
      'method Exported.go',
      'function attributed',
      'variable lam',
      'enum-member ANON1',
      'enum-member ANON2',
      'property q',
      'variable anon_inst',
      'function kernel',
      'function make',
      'function refret',
      'function rr',
      'union U',
      'property U.i',
      'struct S',
      'property S.x',
      'class Exported',
      'method Exported.go',
      'property Exported.x',
      'property Exported.y',
      'function my_init',
      'test adds numbers',
      'test name',
    ]);
  });

  it.each([
    ['ptr', 'T* ptr();'],
    ['cast', 'template <class U> U cast(U u)'],
    ['operator==', 'bool Foo::operator==(const Foo& o) const'],
    ['c_one', 'extern "C" void c_one(void)'],
    ['kTable', 'inline constexpr std::array<int, 3> kTable ='],
    ['Small', 'template <typename T> concept Small = sizeof(T) < 4;'],
    ['run', 'virtual void run(Ctx& ctx) const override = 0;'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(cpp, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'include', specifier: 'vector', names: ['<>'], line: 1 },
      { kind: 'include', specifier: 'a.hpp', names: [], line: 2 },
    ]);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        cpp,
        `#include <vector>

namespace app {

template <typename T>
class Reader : public Base<T> {
 public:
  Reader(int size, bool open = true);
  void run(Context& context) const override {
    go();
  }
 private:
  int size_ = 0;
};

class Writer {
 public:
  void run(Context& context) const override {
    stop();
  }
};

}  // namespace app

template <typename T>
Reader<T>::Reader(int size,
                  bool open)
    : size_(size) {
  start();
}
`,
      ),
    ).toMatchInlineSnapshot(`
      "#include <vector>
      namespace app {
      template <typename T>
      class Reader : public Base<T> {
        ⋮ 7
        Reader(int size, bool open = true);
        void run(Context& context) const override { ⋮ 10-11 }
        ⋮ 12
        int size_ = 0;
      };
      class Writer {
        ⋮ 17
        void run(Context& context) const override { ⋮ 19-20 }
      };
        ⋮ 23
      template <typename T>
      Reader<T>::Reader(int size,
                        bool open)
          : size_(size) { ⋮ 29-30 }"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(
      `  T* ptr();
`,
      `  T* ptr( {
`,
    );
    const parsed = await parseWith(cpp, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['ptr', 'operator<<', 'make', 'kMax', 'U']),
    );
  });

  it.each([
    ['void a::b::run() {}', ['method run']],
    ['Foo<a::b>::Foo(int x) {}', ['constructor Foo']],
    ['template <class T> template <class U> void Foo<T>::take(U u) {}', ['method take']],
    ['class API Foo : public Bar { public: Foo(); int x; };', ['class Foo', 'property Foo.x']],
    ['class Outer::Inner : public Base { int x; };', ['class Inner', 'property Inner.x']],
    ['template <> struct Hash<Key> { int x; };', ['struct Hash', 'property Hash.x']],
    ['TEST_F(Suite, Works) { run(); }', ['test Suite.Works']],
    ['TEST_CASE("adds") { SECTION("twice") { run(); } }', ['test adds', 'test adds.twice']],
    ['auto operator""_km(long double x) -> Km;', ['function operator""_km']],
    [
      'namespace a::b { inline namespace v1 { int x; } }',
      ['module a::b', 'module a::b.v1', 'variable a::b.v1.x'],
    ],
    ['enum class E : int { A, B };', ['enum E', 'enum-member E.A', 'enum-member E.B']],
    ['void f() { Foo local(1); auto g = [] { return 1; }; }', ['function f']],
  ])('reads %s', async (text, expected) => {
    expect(outline(await parseWith(cpp, text))).toEqual(expected);
  });

  it('keeps the template line of a member template', async () => {
    const text = 'template <class T> template <class U> void Foo<T>::take(U u) {}';
    const { symbols } = await parseWith(cpp, text);
    expect(symbols[0]?.signature).toBe('template <class T> template <class U> void Foo<T>::take(U u)');
  });

  it('survives any content', () => expectSurvivesMutations(cpp, SNIPPET), 20_000);
});
