export { accessToken, readBody } from './http-guard.ts';
export { type Route, sendRefusal, startLoopbackServer } from './loopback-server.ts';
