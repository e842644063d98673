// Languages without a grammar. A row says how comments and strings look, which is enough to index words; definitions
// are not found. To add one, add a row here and one in `docs/guides/languages.md`.
import {
  C_STYLE_LEXIS,
  DOUBLE,
  HASH_LEXIS,
  type Language,
  type Lexis,
  NO_LEXIS,
  SINGLE,
} from '../language.ts';

/** A lexis with double-quoted strings and these comments. */
const comments = (line: readonly string[], ...block: Lexis['blockComments']): Lexis => ({
  lineComments: line,
  blockComments: block,
  strings: [DOUBLE],
});

/** How comments and strings look in families of languages. */
const XML: Lexis = { lineComments: [], blockComments: [['<!--', '-->']], strings: [DOUBLE, SINGLE] };
const HASH_AND_C: Lexis = { ...C_STYLE_LEXIS, lineComments: ['#', '//'] };
const LISP = comments([';'], ['#|', '|#']);
const ML = comments([], ['(*', '*)']);
const DASHES = comments(['--'], ['{-', '-}']);
const PERCENT = comments(['%']);
const ASSEMBLY = comments([';', '#', '//'], ['/*', '*/']);
const BASIC = comments(["'"]);
const PASCAL: Lexis = {
  lineComments: ['//'],
  blockComments: [
    ['{', '}'],
    ['(*', '*)'],
  ],
  strings: [SINGLE],
};

/** Extensions are separated by spaces. */
type Row = readonly [id: string, name: string, lexis: Lexis, extensions: string];

/** Programming languages, and formats that are compiled or executed. */
const CODE: readonly Row[] = [
  ['objectivec', 'Objective-C', C_STYLE_LEXIS, '.m .mm'],
  ['perl', 'Perl', HASH_LEXIS, '.pl .pm .t .xs'],
  ['r', 'R', HASH_LEXIS, '.r'],
  ['julia', 'Julia', { ...HASH_LEXIS, blockComments: [['#=', '=#']] }, '.jl'],
  ['groovy', 'Groovy', C_STYLE_LEXIS, '.groovy .gvy'],
  ['fsharp', 'F#', { ...ML, lineComments: ['//'] }, '.fs .fsi .fsx'],
  ['ocaml', 'OCaml', ML, '.ml .mli .mll .mly'],
  ['clojure', 'Clojure', LISP, '.clj .cljs .cljc'],
  ['erlang', 'Erlang', PERCENT, '.erl .hrl .escript'],
  ['lisp', 'Lisp', LISP, '.lisp .lsp .el .scm .rkt'],
  ['nim', 'Nim', HASH_LEXIS, '.nim .nims'],
  ['crystal', 'Crystal', HASH_LEXIS, '.cr'],
  ['dlang', 'D', C_STYLE_LEXIS, '.d'],
  ['odin', 'Odin', C_STYLE_LEXIS, '.odin'],
  ['vala', 'Vala', C_STYLE_LEXIS, '.vala .vapi'],
  ['haxe', 'Haxe', C_STYLE_LEXIS, '.hx'],
  ['gdscript', 'GDScript', HASH_LEXIS, '.gd'],
  ['coffeescript', 'CoffeeScript', HASH_LEXIS, '.coffee'],
  ['rescript', 'ReScript', C_STYLE_LEXIS, '.res .resi .re .rei'],
  ['elm', 'Elm', DASHES, '.elm'],
  ['purescript', 'PureScript', DASHES, '.purs'],
  ['agda', 'Agda', DASHES, '.agda .idr'],
  ['lean4', 'Lean', comments(['--'], ['/-', '-/']), '.lean'],
  ['solidity', 'Solidity', C_STYLE_LEXIS, '.sol'],
  ['cairo', 'Cairo', C_STYLE_LEXIS, '.cairo'],
  ['vyper', 'Vyper', HASH_LEXIS, '.vy'],
  ['fortran', 'Fortran', comments(['!']), '.f .for .f77 .f90 .f95 .f03 .f08'],
  ['pascal', 'Pascal', PASCAL, '.pas .dpr .lpr'],
  ['ada', 'Ada', comments(['--']), '.adb .ads'],
  ['cobol', 'COBOL', comments(['*>']), '.cob .cbl .cpy'],
  ['visualbasic', 'Visual Basic', BASIC, '.vb .vbs'],
  ['apex', 'Apex', C_STYLE_LEXIS, '.cls .trigger .apex'],
  ['abap', 'ABAP', { ...comments(['*', '"']), strings: [SINGLE] }, '.abap'],
  ['assembler', 'Assembly', ASSEMBLY, '.s .asm .nasm'],
  ['verilog', 'Verilog', C_STYLE_LEXIS, '.v .vh .sv .svh'],
  ['vhdl', 'VHDL', comments(['--']), '.vhd .vhdl'],
  [
    'shader',
    'shading languages',
    C_STYLE_LEXIS,
    '.glsl .vert .frag .comp .geom .hlsl .wgsl .metal .gdshader',
  ],
  ['webassembly', 'WebAssembly text', comments([';;'], ['(;', ';)']), '.wat .wast .wit'],
  ['tablegen', 'TableGen', C_STYLE_LEXIS, '.td'],
  ['yacc', 'parser and lexer grammars', C_STYLE_LEXIS, '.y .yy .yacc .l .lex .g4 .pegjs .peg'],
  ['protobuf', 'Protocol Buffers', C_STYLE_LEXIS, '.proto'],
  ['thrift', 'Thrift', HASH_AND_C, '.thrift'],
  ['idl', 'interface descriptions', C_STYLE_LEXIS, '.idl .webidl .fbs .capnp .smithy .avdl'],
  ['graphql', 'GraphQL', HASH_LEXIS, '.graphql .graphqls .gql'],
  ['prisma', 'Prisma', C_STYLE_LEXIS, '.prisma'],
  ['terraform', 'Terraform', HASH_AND_C, '.tf .hcl .tofu'],
  ['bicep', 'Bicep', C_STYLE_LEXIS, '.bicep'],
  ['nix', 'Nix', { ...HASH_LEXIS, blockComments: [['/*', '*/']] }, '.nix'],
  ['cuelang', 'CUE', C_STYLE_LEXIS, '.cue'],
  ['jsonnet', 'Jsonnet', HASH_AND_C, '.jsonnet .libsonnet'],
  ['rego', 'Rego', HASH_LEXIS, '.rego'],
  ['puppet', 'Puppet', HASH_LEXIS, '.pp'],
  ['starlark', 'Starlark', HASH_LEXIS, '.bzl .bazel .star .sky'],
  ['powershell', 'PowerShell', { ...HASH_LEXIS, blockComments: [['<#', '#>']] }, '.ps1 .psm1 .psd1'],
  ['batch', 'Batch', comments(['rem ', 'REM ', '::']), '.bat .cmd'],
  ['fishshell', 'fish', HASH_LEXIS, '.fish'],
  ['awk', 'AWK', HASH_LEXIS, '.awk'],
  ['tcl', 'Tcl', HASH_LEXIS, '.tcl'],
  ['vimscript', 'Vim script', { ...comments(['"']), strings: [SINGLE] }, '.vim'],
  ['qml', 'QML', C_STYLE_LEXIS, '.qml'],
  ['stylus', 'Stylus and Sass', C_STYLE_LEXIS, '.styl .sass'],
  ['graphquery', 'Cypher and SPARQL', HASH_AND_C, '.cypher .cql .sparql .rq'],
];

/** Templates and user interfaces. */
const MARKUP: readonly Row[] = [
  [
    'template',
    'templates',
    XML,
    '.tmpl .gotmpl .tpl .mako .pug .haml .slim .astro .razor .aspx .ascx .heex .eex .leex .ftlh .vm',
  ],
  ['xaml', 'user interface markup', XML, '.xaml .axaml .fxml .ui'],
];

/** Texts for people. */
const PROSE: readonly Row[] = [
  ['rst', 'reStructuredText', NO_LEXIS, '.rst'],
  ['asciidoc', 'AsciiDoc', NO_LEXIS, '.adoc .asciidoc'],
  ['tex', 'TeX', { ...PERCENT, strings: [] }, '.tex .sty'],
  ['org', 'Org', NO_LEXIS, '.org'],
  ['manpage', 'manual pages', NO_LEXIS, '.pod .roff .man'],
];

/** Paths of tests, where the usual names and folders are not enough. */
const TEST_PATHS: Readonly<Record<string, RegExp>> = {
  perl: /\.t$/,
  erlang: /_SUITE\.erl$/,
  solidity: /\.t\.sol$/,
  terraform: /\.tftest\.hcl$/,
};

const ofKind = (kind: Language['kind'], rows: readonly Row[]): readonly Language[] =>
  rows.map(([id, name, lexis, extensions]) => ({
    id,
    name,
    kind,
    lexis,
    extensions: extensions.split(' '),
    structure: null,
    ...(TEST_PATHS[id] ? { testPaths: TEST_PATHS[id] } : {}),
  }));

/** Languages that are indexed by words only: code, comments and strings are told apart, and no definition is found. */
export const PLAIN_LANGUAGES: readonly Language[] = [
  ...ofKind('code', CODE),
  ...ofKind('markup', MARKUP),
  ...ofKind('prose', PROSE),
];
