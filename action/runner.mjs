// What the runner of GitHub Actions reads from a step: outputs, the page of the job, lines of the log. All of them are
// text protocols, and much of our text comes from strangers: names of files, titles, branches.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** A failure that a user can do something about: one line in the log, no stack trace. */
export class ActionError extends Error {
  /** `exitCode` is 1 for a check that failed, 2 for a request that cannot be answered. */
  constructor(message, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Sets outputs of the step. The delimiter is random, so that no value can end its own and begin another one. */
export function setOutputs(file, outputs) {
  if (!file) return;
  for (const [name, value] of Object.entries(outputs)) {
    const delimiter = `loadout-${randomUUID()}`;
    appendFileSync(file, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
  }
}

/** The runner refuses a larger page as a whole. */
const MAX_SUMMARY_BYTES = 1_000_000;

/** Adds Markdown to the page of the job. */
export function addSummary(file, markdown) {
  if (file && Buffer.byteLength(markdown) < MAX_SUMMARY_BYTES) appendFileSync(file, `${markdown}\n`);
}

/**
 * Prints text that is not ours. The runner obeys lines such as `::add-mask::` wherever they come from, so it is told to
 * obey nothing until it reads a word that nobody can guess.
 */
export function printForeign(text) {
  if (text.trim() === '') return;
  const word = randomUUID();
  process.stdout.write(`::stop-commands::${word}\n${text.replace(/\n*$/, '\n')}::${word}::\n`);
}

/** An error that the page of the job shows. The runner decodes these three characters, and no others. */
export function printError(message) {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::error title=Loadout::${escaped}\n`);
}
