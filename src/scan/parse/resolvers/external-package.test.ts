import { expect, test } from 'vitest';
import { externalPackage } from './external-package.ts';

test.each([
  ['typescript', 'zod', 'zod'],
  ['typescript', 'zod/v4/core', 'zod'],
  ['tsx', '@scope/name/sub', '@scope/name'],
  ['javascript', 'node:fs', null],
  ['javascript', 'fs/promises', null],
  ['javascript', '#internal', null],
  ['javascript', './gone', null],
  ['python', 'tiktoken', 'tiktoken'],
  ['python', 'google.cloud.storage', 'google'],
  ['python', 'os.path', null],
  ['python', '.gone', null],
  ['go', 'github.com/pkg/errors/deep', 'github.com/pkg/errors'],
  ['go', 'golang.org/x/net/html', 'golang.org/x/net'],
  ['go', 'gopkg.in/yaml.v3', 'gopkg.in/yaml.v3'],
  ['go', 'net/http', null],
  ['rust', 'tokio::sync::Mutex', 'tokio'],
  ['rust', 'std::io', null],
  ['java', 'org.springframework.web.bind.annotation.GetMapping', 'org.springframework.web'],
  ['java', 'java.util.List', null],
  ['kotlin', 'kotlin.math.abs', null],
  ['csharp', 'Newtonsoft.Json.Linq', 'Newtonsoft.Json'],
  ['csharp', 'System.Text', null],
  ['php', 'Symfony\\Component\\Console\\Command', 'Symfony\\Component'],
  ['dart', 'package:http/http.dart', 'http'],
  ['dart', 'dart:io', null],
  ['ruby', 'nokogiri/xml', 'nokogiri'],
  ['ruby', 'json', null],
  ['c', 'stdio.h', null],
  [null, 'x', null],
])('%s: %s is of the package %s', (language, specifier, expected) => {
  expect(externalPackage(language, specifier)).toBe(expected);
});
