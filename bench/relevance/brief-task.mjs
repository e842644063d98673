// What of a task's change is inside its brief: lines that are shown as code, ranges that are shown or named.
import { mean } from './score.mjs';

const MAX_CHARS = 6_000;
/** The files that a brief looks at. */
const MAX_FILES = 25;

/** What the gate knows about a task: the features that its weights belong to. */
export async function gateFeaturesOf(engine, scan, settings, text) {
  return (await likelyPlaces(engine, scan, settings, text)).features;
}

/** The definitions of a task's files, likeliest first, and what the gate makes of them. */
async function likelyPlaces({ gateFeatures, placesOf, rankScan }, scan, settings, text) {
  const { files, analysis, knownWeight } = await rankScan(scan, { task: text, settings, limit: MAX_FILES });
  const places = placesOf(files);
  const features = gateFeatures({ analysis, places, knownWeight });
  return { places, features: features.map((value) => Math.round(value * 1e4) / 1e4) };
}

/** Measures of the brief of one task. `changed` has the ranges of old lines that the change touches, by path. */
export async function briefTask(engine, scan, settings, task, changed) {
  const started = performance.now();
  const request = { task: task.task, settings, maxChars: MAX_CHARS };
  // Measure what a brief shows without the gate, and what the gate would have said.
  const { places, text } = await engine.briefScan(scan, { ...request, gate: 'off' });
  const milliseconds = performance.now() - started;
  const { gate } = await engine.briefScan(scan, { ...request, gate: 'normal' });
  const bodies = places.filter(({ form }) => form === 'body').flatMap(shownParts);
  const lines = linesOf(changed);
  const isIn = (some) => (one) => some.some((place) => overlaps(place, one));
  const ranges = Object.entries(changed).flatMap(([path, own]) =>
    own.map(([startLine, endLine]) => ({ path, startLine, endLine })),
  );
  const share = (all, hit) => (all.length === 0 ? 1 : all.filter(hit).length / all.length);
  const likely = await likelyPlaces(engine, scan, settings, task.task);
  const definitions = likely.places.filter(({ name }) => name !== null);
  const isAmong = (first) => Number(ranges.some(isIn(definitions.slice(0, first))));
  return {
    definition5: isAmong(5),
    definition10: isAmong(10),
    lines: share(lines, isIn(bodies)),
    ranges: share(ranges, isIn(places)),
    hasFile: Number(places.some(({ path }) => changed[path] !== undefined)),
    features: likely.features,
    verdict: gate.verdict,
    confidence: gate.confidence,
    characters: text.length,
    milliseconds,
  };
}

/** A place without the lines that its code leaves out. */
function shownParts({ path, startLine, endLine, omitted }) {
  const parts = [];
  let next = startLine;
  for (const span of omitted) {
    parts.push({ path, startLine: next, endLine: span.startLine - 1 });
    next = span.endLine + 1;
  }
  return [...parts, { path, startLine: next, endLine }].filter((part) => part.startLine <= part.endLine);
}

function linesOf(changed) {
  const lines = [];
  for (const [path, ranges] of Object.entries(changed))
    for (const [start, end] of ranges)
      for (let line = start; line <= end; line++) lines.push({ path, startLine: line, endLine: line });
  return lines;
}

function overlaps(place, { path, startLine, endLine }) {
  return place.path === path && place.startLine <= endLine && startLine <= place.endLine;
}

/** Means over the tasks of a set. */
export function briefReport(rows) {
  const percent = (values) => Math.round(mean(values) * 1000) / 10;
  const spoken = rows.filter(({ verdict }) => verdict !== 'silent');
  const sizes = rows.map(({ characters }) => characters).sort((a, b) => a - b);
  return {
    tasks: rows.length,
    'changed lines shown %': percent(rows.map(({ lines }) => lines)),
    'changed ranges shown or named %': percent(rows.map(({ ranges }) => ranges)),
    'a changed definition among 5 %': percent(rows.map(({ definition5 }) => definition5)),
    'a changed definition among 10 %': percent(rows.map(({ definition10 }) => definition10)),
    'a changed file is shown %': percent(rows.map(({ hasFile }) => hasFile)),
    'gate: silent %': percent(rows.map(({ verdict }) => Number(verdict === 'silent'))),
    'gate: short %': percent(rows.map(({ verdict }) => Number(verdict === 'short'))),
    'gate: right when it speaks %': percent(spoken.map(({ hasFile }) => hasFile)),
    'median characters': sizes[sizes.length >> 1],
    'mean ms': Math.round(mean(rows.map(({ milliseconds }) => milliseconds))),
  };
}
