/** Names only these exports, so that the bundler can leave out the other hundred kinds of bar codes. It can't see into a dynamic import. */
// biome-ignore lint/performance/noBarrelFile: two names of a package, not a folder's.
export { code128, drawingSVG } from 'bwip-js/node';
