import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { lua } from './lua.ts';

const SNIPPET = `local M = {}
local json = require("json")
local x = require 'a.b'.y
require "init"
--- Doc.
function M.run(a, b) local z = 1 end
function M.sub:call(...) end
local function helper() end
local add = function(a) return a end
M.field = function(a) return a end
M["quoted"] = function() end
function global() end
VERSION = "1.0"
local LIMIT, OTHER <const> = 10, 2
local t = {
  open = function(self) end,
  close = function() end,
  n = 1,
}
M.opts = { a = 1 }
describe("thing", function()
  it("works", function() end)
end)
return { go = function() end, [1] = 2 }
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(lua, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('Lua', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(lua, SNIPPET))).toEqual([
      'variable M',
      'function run',
      'method call',
      'function helper',
      'function add',
      'function field',
      'function quoted',
      'function global',
      'variable VERSION',
      'variable LIMIT',
      'variable OTHER',
      'variable t',
      'function t.open',
      'function t.close',
      'variable opts',
      'test thing',
      'test thing.works',
      'function go',
    ]);
  });

  it.each([
    ['run', 'function M.run(a, b)'],
    ['call', 'function M.sub:call(...)'],
    ['helper', 'local function helper()'],
    ['add', 'local add = function(a)'],
    ['quoted', 'M["quoted"] = function()'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(lua, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'import', specifier: 'json', names: [], line: 2 },
      { kind: 'import', specifier: 'a.b', names: [], line: 3 },
      { kind: 'import', specifier: 'init', names: [], line: 4 },
    ]);
  });

  it('takes the first line of the doc comment', async () => {
    const { symbols } = await parseWith(lua, SNIPPET);
    expect(symbols.find((symbol) => symbol.name === 'run')?.doc).toBe('Doc.');
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        lua,
        `local log = require('log')

local Reader = {}
local Writer = {}

function Reader:run(context)
  context.go()
end

function Writer:run(context)
  context.stop()
end

local handlers = {
  open = function(path)
    return path
  end,
}

return Reader
`,
      ),
    ).toMatchInlineSnapshot(`
      "local log = require('log')
      local Reader = {}
      local Writer = {}
      function Reader:run(context) ⋮ 7-8
      function Writer:run(context) ⋮ 11-12
      local handlers = {
        open = function(path) ⋮ 16-17
      }
      ⋮ 20"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`function M.sub:call(...) end`, `function M.sub:call(... end`);
    const parsed = await parseWith(lua, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['M', 'run', 'global', 't', 'VERSION']),
    );
  });

  it('survives any content', () => expectSurvivesMutations(lua, SNIPPET), 20_000);
});
