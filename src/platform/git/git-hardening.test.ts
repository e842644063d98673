import { describe, expect, it } from 'vitest';
import { checkGitArguments } from './git-hardening.ts';

describe('checkGitArguments', () => {
  it.each([
    [['rev-parse', '--verify', 'HEAD']],
    [['ls-files', '--others', '--exclude-standard', '-z']],
    [['cat-file', '--batch-check']],
    [['symbolic-ref', '--short', 'HEAD']],
    [['hash-object', '--stdin']],
    [['hash-object', '--no-filters', '--', '-w']],
    [['log', '--format=%H %ct', '--name-only', '-n', '5', '--', '--output=x']],
  ])('allows %j', (args) => {
    const [command, ...rest] = args;
    expect(checkGitArguments(args)[0]).toBe(command);
    expect(checkGitArguments(args).slice(-rest.length)).toEqual(rest);
  });

  it('never lets hash-object run filters', () => {
    expect(checkGitArguments(['hash-object', 'a.ts'])).toEqual(['hash-object', '--no-filters', 'a.ts']);
  });

  it.each([
    [[]],
    [['commit']],
    [['-c', 'alias.x=!sh', 'x']],
    [['--exec-path=/x', 'log']],
    [['constructor']],
    [['config', '--get', 'x']],
    [['log', '--output=/x']],
    [['log', '--outp=/x']],
    [['diff-tree', '--output', '/x']],
    [['diff-tree', '--ext-diff']],
    [['diff-files', '--textconv', '-p']],
    [['diff-files', '--textc', '-p']],
    [['log', '--show-signature']],
    [['log', '--show-sig']],
    [['log', '--format=%GK']],
    [['for-each-ref', '--format=%(signature:key)']],
    [['cat-file', '--textconv', 'HEAD:a']],
    [['cat-file', '--filters', 'HEAD:a']],
    [['ls-files', '--recurse-submodules']],
    [['hash-object', '-w', '--stdin']],
    [['hash-object', '-tw', 'x']],
    [['hash-object', '--filters', 'a.ts']],
    [['hash-object', '--filt', 'a.ts']],
    [['symbolic-ref', 'HEAD', 'refs/heads/x']],
    [['symbolic-ref', '-d', 'HEAD']],
    [['symbolic-ref', '--delete', 'HEAD']],
    [['symbolic-ref', '-m', 'why', 'HEAD', 'refs/heads/x']],
    [['rev-parse', 'a\0b']],
  ])('refuses %j', (args) => {
    expect(() => checkGitArguments(args)).toThrow(expect.objectContaining({ code: 'git-command-refused' }));
  });
});
