/**
 * The anchor of a heading, by GitHub's rule: links to anchors then work on the repository host and on the site.
 * @param {string} heading
 * @returns {string}
 */
export const anchorOf = (heading) =>
  heading
    .replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
