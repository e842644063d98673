import { describe, expect, it } from 'vitest';
import { isUnsafePath } from './fs/path-codec.ts';
import { isSafeTreePath } from './git/scratch-work-tree.ts';
import { shimTarget, trustedPathEntries } from './process/find-program.ts';
import { treeKiller } from './process/process-runner.ts';

describe('paths below the root on Windows', () => {
  it.each([
    ...['NUL', 'src/con', 'aux.ts', 'a/Com1.txt/b', 'LPT9', 'nul .txt', 'conin$'],
    ...['key.', 'secrets./key', 'key ', 'a /b', 'C:/x', 'a:stream', 'a\\b', '../x', 'a//b'],
  ])('%j is refused', (path) => {
    expect(isUnsafePath(path, 'win32')).toBe(true);
    expect(isSafeTreePath(path, 'win32')).toBe(false);
  });

  it.each(['console.ts', 'src/null.ts', 'com10', 'auxiliary/a.b', '.gitignore', 'a b/c.d', 'lpt'])(
    '%j is an ordinary file',
    (path) => expect(isUnsafePath(path, 'win32')).toBe(false),
  );

  it.each(['NUL', 'key.', 'a:b', 'a\\b', 'key '])('%j is an ordinary file on other systems', (path) => {
    expect(isUnsafePath(path, 'linux')).toBe(false);
    expect(isUnsafePath(path, 'darwin')).toBe(false);
  });
});

it('on macOS a name with characters that the file system ignores is not written', () => {
  expect(isSafeTreePath('.g\u200cit/config', 'darwin')).toBe(false);
  expect(isSafeTreePath('.g\u200cit/config', 'linux')).toBe(true);
});

describe('a program that npm installed on Windows', () => {
  const NEW = (path: string, program = 'node') =>
    `@ECHO off\r\nIF EXIST "%dp0%\\${program}.exe" (\r\n  SET "_prog=%dp0%\\${program}.exe"\r\n) ELSE (\r\n  SET "_prog=${program}"\r\n)\r\nendLocal & "%_prog%"  "%dp0%\\${path}" %*\r\n`;
  const SCRIPT = 'node_modules\\@google\\gemini-cli\\dist\\index.js';

  it('is started as what its script would start', () => {
    const folder = 'C:\\Users\\a b\\npm';
    expect(shimTarget(NEW(SCRIPT), folder)).toBe(`${folder}\\${SCRIPT}`);
    const old = `@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\${SCRIPT}" %*\r\n)`;
    expect(shimTarget(old, folder)).toBe(`${folder}\\${SCRIPT}`);
    const program = '@ECHO off\r\n"%dp0%\\node_modules\\x\\bin\\claude.exe"   %*\r\n';
    expect(shimTarget(program, folder)).toBe(`${folder}\\node_modules\\x\\bin\\claude.exe`);
  });

  it.each([
    ['a script of its own', '@echo off\r\ndel %*\r\n'],
    ['a script for another shell', NEW('node_modules\\x\\run.sh', 'sh')],
    ['nothing', ''],
  ])('is not taken from %s', (_name, script) => expect(shimTarget(script, 'C:\\npm')).toBeNull());
});

describe('folders of the PATH that a repository cannot fill', () => {
  it('are found on Windows whatever the case and the slashes', () => {
    const env = { Path: 'C:\\Tools;c:\\REPO\\node_modules\\.bin;.;bin;\\\\share\\bin;C:\\repo-two' };
    expect(trustedPathEntries(env, 'C:/Repo', 'win32')).toEqual([
      'C:\\Tools',
      '\\\\share\\bin',
      'C:\\repo-two',
    ]);
  });

  it('are compared without case on macOS and with case on Linux', () => {
    const env = { PATH: '/usr/bin:/srv/REPO/bin:bin' };
    expect(trustedPathEntries(env, '/srv/repo', 'darwin')).toEqual(['/usr/bin']);
    expect(trustedPathEntries(env, '/srv/repo', 'linux')).toEqual(['/usr/bin', '/srv/REPO/bin']);
  });
});

it('a process tree on Windows is ended by the program of the system, never one of the current folder', () => {
  expect(treeKiller(7, 'D:\\Win').command).toBe('D:\\Win\\System32\\taskkill.exe');
  expect(treeKiller(7, undefined)).toEqual({
    command: 'C:\\Windows\\System32\\taskkill.exe',
    args: ['/pid', '7', '/T', '/F'],
  });
});
