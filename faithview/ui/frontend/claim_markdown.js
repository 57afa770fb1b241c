// A claim as Markdown, to be pasted into a ticket or a chat: what the answer says, what the chunks say, and the link.

/** @import { AnswerPayload, Part } from "./payloads.js" */

/**
 * @param {AnswerPayload} payload
 * @param {number} number the claim's
 * @param {string} link
 */
export function claimMarkdown({ claims, chunks }, number, link) {
  const said = plain(claims[number - 1].text);
  const evidence = chunks.flatMap(({ id, parts }) => {
    const words = evidenceOf(parts, number);
    const lead = claims[number - 1].nearest_chunk_id === id ? "Nearest passage, " : "";
    return words ? [`${lead}${plain(id)}: ${words}`] : [];
  });
  return [`> ${said}`, ...evidence, linkWords(link)].join("\n\n");
}

/**
 * The stretches of a text that are evidence for a claim, with the words that its verdict rests on in bold.
 *
 * @param {Part[]} parts
 * @param {number} number
 */
function evidenceOf(parts, number) {
  let words = "";
  let isGap = false;
  for (const { text, marks } of parts) {
    const mark = marks.find(({ claim }) => claim === number);
    if (mark) {
      const shown = mark.boxed ? `**${plain(text)}**` : plain(text);
      words += isGap && words ? ` … ${shown}` : shown;
    }
    isGap = !mark;
  }
  return words.trim();
}

/**
 * A text on one line in which Markdown and HTML mean nothing.
 *
 * @param {string} text
 */
function plain(text) {
  return text.replace(/\s+/g, " ").replace(/[\\*_`[\]<>|]/g, "\\$&");
}

/**
 * A link, with a warning where it leads to the machine that it is opened on.
 *
 * @param {string} link
 */
export function linkWords(link) {
  return isOnlyHere(link) ? `${link} (link works on this machine only)` : link;
}

/**
 * Whether an address leads to the machine that it is opened on.
 *
 * @param {string} link
 */
export function isOnlyHere(link) {
  const { hostname } = new URL(link);
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname);
}
