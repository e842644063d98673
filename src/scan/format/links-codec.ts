import type { EdgeList, FileLinks, LinkBasis, StatementTargets } from '../../model/file-links.ts';
import type { LanguageLinks } from '../../model/scan-result.ts';
import { type RangeReader, SectionFile, writeSections } from './section-file.ts';

/** Goes up when resolvers or sections change. */
export const LINKS_FORMAT = 2;

interface Remarks {
  readonly languages: readonly LanguageLinks[];
  readonly basis: LinkBasis;
}

export function encodeLinks({ imports, definers, tests, languages, statements, basis }: FileLinks): Buffer[] {
  return writeSections(LINKS_FORMAT, {
    importStarts: imports.starts,
    importTargets: imports.targets,
    definerStarts: definers.starts,
    definerTargets: definers.targets,
    testStarts: tests.starts,
    testTargets: tests.targets,
    ...(statements && {
      statementStarts: statements.starts,
      statementNumbers: statements.statements,
      statementLists: statements.lists,
      listStarts: statements.listStarts,
      listTargets: statements.listTargets,
    }),
    remarks: Buffer.from(JSON.stringify({ languages, basis } satisfies Remarks)),
  });
}

/** Throws `DamagedFileError` when the bytes are not what was written. */
export function decodeLinks(reader: RangeReader): FileLinks {
  const file = new SectionFile(reader, LINKS_FORMAT);
  const edges = (name: string): EdgeList => ({
    starts: file.numbers(`${name}Starts`),
    targets: file.numbers(`${name}Targets`),
  });
  const remarks = JSON.parse(file.section('remarks').toString('utf8')) as Remarks;
  const statements: StatementTargets | null = file.names.includes('statementStarts')
    ? {
        starts: file.numbers('statementStarts'),
        statements: file.numbers('statementNumbers'),
        lists: file.numbers('statementLists'),
        listStarts: file.numbers('listStarts'),
        listTargets: file.numbers('listTargets'),
      }
    : null;
  const all = { imports: edges('import'), definers: edges('definer'), tests: edges('test'), ...remarks };
  return statements ? { ...all, statements } : all;
}
