export { inspectAsFile, runInspector } from './run-inspector.ts';
