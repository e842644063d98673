import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { readConstants, readRubyImport, ruby } from './ruby.ts';

const SNIPPET = `require 'json'
require_relative '../lib/x'
autoload :Foo, 'foo/bar'
load "tasks.rb"
require File.expand_path('x', __dir__)
module A::B
  CONST = 1
  TABLE = {
    a: 1
  }.freeze
  # Doc.
  class Foo < Bar::Baz
    include Comparable
    attr_reader :name, :age
    attr_accessor "str"
    scope :active, -> { where(a: 1) }
    has_many :posts
    delegate :x, to: :y
    define_method(:dyn) { |a| a }
    define_method "dyn2" do |a|
      a
    end
    alias old new
    alias_method :old2, :new2
    @@count = 0
    class << self
      def build(a, b = 1, *rest, key:, **opts, &block)
      end
    end
    def self.create(x) = new(x)
    def run(ctx,
            b: 1)
      local = 1
    end
    def ==(o) true end
    def name=(v)
      @name = v
    end
    private def hidden; end
    private
    Point = Struct.new(:x, :y) do
      def dist; end
    end
    Err = Class.new(StandardError)
    VAL = Data.define(:a)
  end
end
$global = 1
RSpec.describe Foo do
  context "when x" do
    it "does y" do
    end
    let(:user) { 1 }
  end
  describe "#run" do
  end
end
test "the truth" do
end
namespace :db do
  task :migrate => :env do
  end
  task build: [:x] do |t|
  end
end
def top; end
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(ruby, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('Ruby', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(ruby, SNIPPET))).toEqual([
      'module A::B',
      'constant A::B.CONST',
      'constant A::B.TABLE',
      'class A::B.Foo',
      'property A::B.Foo.name',
      'property A::B.Foo.age',
      'property A::B.Foo.str',
      'property A::B.Foo.active',
      'property A::B.Foo.posts',
      'property A::B.Foo.x',
      'method A::B.Foo.dyn',
      'method A::B.Foo.dyn2',
      'method A::B.Foo.old',
      'method A::B.Foo.old2',
      'property A::B.Foo.@@count',
      'class A::B.Foo.self',
      'method A::B.Foo.self.build',
      'method A::B.Foo.create',
      'method A::B.Foo.run',
      'method A::B.Foo.==',
      'method A::B.Foo.name=',
      'method A::B.Foo.hidden',
      'class A::B.Foo.Point',
      'method A::B.Foo.Point.dist',
      'class A::B.Foo.Err',
      'class A::B.Foo.VAL',
      'variable $global',
      'test Foo',
      'test Foo.when x',
      'test Foo.when x.does y',
      'test Foo.#run',
      'test the truth',
      'module db',
      'function db.migrate',
      'function db.build',
      'function top',
    ]);
  });

  it.each([
    ['build', 'def build(a, b = 1, *rest, key:, **opts, &block)'],
    ['run', 'def run(ctx,\n            b: 1)'],
    ['create', 'def self.create(x) ='],
    ['hidden', 'private def hidden'],
    ['Point', 'Point = Struct.new(:x, :y)'],
    ['TABLE', 'TABLE ='],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(ruby, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'import', specifier: 'json', names: [], line: 1 },
      { kind: 'import', specifier: './../lib/x', names: [], line: 2 },
      { kind: 'import', specifier: 'foo/bar', names: [], line: 3 },
      { kind: 'import', specifier: 'tasks.rb', names: [], line: 4 },
      { kind: 'autoload', specifier: '', names: expect.arrayContaining(['A::B', 'Bar::Baz']), line: 1 },
    ]);
  });

  it('takes the first line of the doc comment', async () => {
    const { symbols } = await parseWith(ruby, SNIPPET);
    expect(symbols.find((symbol) => symbol.name === 'Foo')?.doc).toBe('Doc.');
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        ruby,
        `require 'set'

class Reader < Base
  attr_reader :name, :age
  TABLE = {
    a: 1,
  }.freeze

  def run(context, depth: 1,
          **options)
    context.go
  end
end

class Writer
  def run(context)
    context.stop
  end
end
`,
      ),
    ).toMatchInlineSnapshot(`
      "require 'set'
      class Reader < Base
        attr_reader :name, :age
        TABLE = { ⋮ 6-7 }.freeze
        def run(context, depth: 1,
                **options) ⋮ 11-12
      end
      class Writer
        def run(context) ⋮ 17-18
      end"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(
      `  def name=(v)
      @name = v
    end
`,
      `  def name=(v
      @name = v
`,
    );
    const parsed = await parseWith(ruby, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['Foo', 'run', 'build', 'CONST']),
    );
  });

  it.each([
    ["require 'json'", [{ kind: 'import', specifier: 'json', names: [] }]],
    ['require("a/b")', [{ kind: 'import', specifier: 'a/b', names: [] }]],
    ["require_relative 'x'", [{ kind: 'import', specifier: './x', names: [] }]],
    ["autoload :Foo, 'foo'", [{ kind: 'import', specifier: 'foo', names: [] }]],
    ['require "a#{b}"', []],
    ['require File.join(__dir__, "x")', []],
  ])('reads %s', (statement, expected) => {
    expect(readRubyImport(statement)).toEqual(expected);
  });

  it('keeps comments in front of the first statement out of the header', async () => {
    const { symbols } = await parseWith(ruby, 'module A\n  # About B.\n  class B\n  end\nend\n');
    expect(symbols.map(({ signature, doc }) => [signature, doc])).toEqual([
      ['module A', ''],
      ['class B', 'About B.'],
    ]);
  });

  it('survives any content', () => expectSurvivesMutations(ruby, SNIPPET), 20_000);
});

it.each([
  ['class Foo < Bar::Baz\nend', ['Bar::Baz', 'Foo']],
  ['::Foo.find(1) # Account is old', ['::Foo']],
  ["has_many :xs, class_name: 'Admin::Account'", ['Admin::Account']],
  ['puts "Account deleted: #{1}" if MAX_SIZE > Limit::MAX', ['Limit::MAX']],
  ['a ? Foo : Bar; b = { Baz: 1 }', ['Bar', 'Baz', 'Foo']],
  [':Foo; foo::Bar; @Baz; x.Qux', ['Qux']],
])('the constants of %j', (text, names) => {
  expect(readConstants(text)).toEqual([{ kind: 'autoload', specifier: '', names }]);
});

it('a text without constants has no reference', () =>
  expect(readConstants('x = 1\n# Only A comment\n')).toEqual([]));
