// Prints the table of letter pairs in src/redact/secret-values.ts, counted in the words of text files.
//
//   node bench/letter-pairs.mjs FOLDER...
//
// Take much and mixed text: code in many languages, manuals, settings. The table here comes from 300 MB of it.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('usage: node bench/letter-pairs.mjs FOLDER...');
  process.exit(2);
}
const MAX_BYTES = 400_000;
const MIN_TIMES = 20;

const words = new Map();
function count(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== '.git') count(path);
    if (!entry.isFile() || lstatSync(path).size >= MAX_BYTES) continue;
    const bytes = readFileSync(path);
    if (bytes.subarray(0, 8_000).includes(0)) continue;
    for (const [run] of bytes.toString('utf8').matchAll(/[A-Za-z]{2,30}/g))
      for (const word of run.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
        if (word.length > 1) words.set(word.toLowerCase(), (words.get(word.toLowerCase()) ?? 0) + 1);
  }
}
for (const folder of folders) count(folder);

// The root keeps a few very frequent words from deciding everything; pairs that were never seen count as 5.
const pairs = Array.from({ length: 26 }, () => new Array(26).fill(5));
for (const [word, times] of words) {
  if (times < MIN_TIMES) continue;
  for (let at = 1; at < word.length; at++)
    pairs[word.charCodeAt(at - 1) - 97][word.charCodeAt(at) - 97] += Math.sqrt(times);
}
for (const row of pairs) {
  const total = row.reduce((sum, one) => sum + one, 0);
  const digits = row.map((one) => {
    const bits = Math.log2((one / total) * 26);
    return Math.max(0, Math.min(9, Math.round(((bits + 5) * 9) / 8)));
  });
  console.log(`  '${digits.join('')}',`);
}
