export { type InspectorOptions, inspectAsFile, runInspector } from './run-inspector.ts';
