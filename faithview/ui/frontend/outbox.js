// Presses of label keys that the server has not answered yet. What it has not answered is sent again with every press.

const MOST_WAITING = 100;

/**
 * @typedef {{ sequence: number, mark: string | null, action: string, words: string }} Press
 * @typedef {{ sequence: number, refusal: string | null }} Answer
 */

export class Outbox {
  constructor() {
    /** @type {Press[]} */
    this.presses = [];
    this.sequence = 0;
  }

  get isFull() {
    return this.presses.length >= MOST_WAITING;
  }

  /**
   * @param {string | null} mark
   * @param {string} action
   * @param {string} words
   */
  add(mark, action, words) {
    this.sequence += 1;
    this.presses.push({ sequence: this.sequence, mark, action, words });
  }

  /**
   * Takes out the presses that are answered, and returns them with why each was refused, null if it was not.
   *
   * @param {number} acknowledged the last sequence that the server has answered
   * @param {Answer[]} answers
   */
  settle(acknowledged, answers) {
    this.sequence = Math.max(this.sequence, acknowledged);
    const refusals = new Map(answers.map(({ sequence, refusal }) => [sequence, refusal]));
    const answered = this.presses.filter((press) => press.sequence <= acknowledged);
    this.presses = this.presses.filter((press) => press.sequence > acknowledged);
    return answered.map(({ sequence, words }) => ({ words, refusal: refusals.get(sequence) ?? null }));
  }

  // What is sent: all that is not answered, for the server may not have seen what was sent before.
  unanswered() {
    return this.presses.map(({ sequence, mark, action }) => ({ sequence, mark, action }));
  }
}
