import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { sql } from './sql.ts';

const SNIPPET = `-- Users.
CREATE TABLE IF NOT EXISTS public.users (
  id INT PRIMARY KEY,
  name TEXT
);
CREATE OR REPLACE VIEW active AS SELECT * FROM users;
CREATE MATERIALIZED VIEW mv AS SELECT 1;
CREATE UNIQUE INDEX idx_users ON users (name);
CREATE FUNCTION add(a int, b int) RETURNS int AS $$
BEGIN
  RETURN a + b;
END;
$$ LANGUAGE plpgsql;
CREATE PROCEDURE doit(a int) LANGUAGE SQL AS $$ SELECT 1; $$;
CREATE TRIGGER trg BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION add();
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE SCHEMA app;
CREATE SEQUENCE seq1;
ALTER TABLE users ADD COLUMN x int;
CREATE TABLE \`my tbl\` (id int);
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(sql, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('SQL', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(sql, SNIPPET))).toEqual([
      'table public.users',
      'property public.users.id',
      'property public.users.name',
      'table active',
      'table mv',
      'table idx_users',
      'function add',
      'function doit',
      'function trg',
      'type mood',
      'module app',
      'table seq1',
      'table my tbl',
      'property my tbl.id',
    ]);
  });

  it.each([
    ['public.users', 'CREATE TABLE IF NOT EXISTS public.users'],
    ['add', 'CREATE FUNCTION add(a int, b int) RETURNS int'],
    ['active', 'CREATE OR REPLACE VIEW active AS SELECT * FROM users'],
    ['doit', 'CREATE PROCEDURE doit(a int) LANGUAGE SQL AS $$'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('takes the first line of the doc comment', async () => {
    const { symbols } = await parseWith(sql, SNIPPET);
    expect(symbols.find((symbol) => symbol.name === 'public.users')?.doc).toBe('Users.');
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        sql,
        `CREATE TABLE readers (
  id INT,
  name TEXT
);

CREATE FUNCTION run(id int) RETURNS int AS $$
BEGIN
  RETURN id;
END;
$$ LANGUAGE plpgsql;

CREATE PROCEDURE dbo.stop @id int
AS
BEGIN
  SELECT @id
END
`,
      ),
    ).toMatchInlineSnapshot(`
      "CREATE TABLE readers (
        id INT,
        name TEXT
      );
      CREATE FUNCTION run(id int) RETURNS int ⋮ 7-10
      CREATE PROCEDURE dbo.stop @id int ⋮ 13-16"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`  id INT PRIMARY KEY,`, `  id INT PRIMARY KEY,,(`);
    const parsed = await parseWith(sql, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['active', 'add', 'mood', 'trg']),
    );
  });

  it.each([
    ['CREATE OR ALTER PROCEDURE [dbo].[run it] AS SELECT 1', ['function dbo.run it']],
    ['CREATE TEMP TABLE t ("id" int);', ['table t', 'property t.id']],
    ['create view "My View" as select 1;', ['table My View']],
    ['SELECT 1;', []],
  ])('reads %s', async (text, expected) => {
    expect(outline(await parseWith(sql, text))).toEqual(expected);
  });

  it('survives any content', () => expectSurvivesMutations(sql, SNIPPET), 20_000);
});
