// What Python sends to be drawn, as types only: the modules beside the components' Python build it and say what it means
// (`answer_payload.py`, `pair_payload.py`, `answer_list.py`, …).

/**
 * @typedef {Record<string, Style>} Styles by verdict
 * @typedef {object} Style how a verdict is drawn
 * @property {string} word
 * @property {string} stroke
 * @property {string} fill
 * @property {string} light
 * @property {string} dark
 * @property {string} underline
 * @property {string} [note]
 */

/**
 * @typedef {object} Mark a claim on a part of a text
 * @property {number} claim
 * @property {number} lane
 * @property {boolean} [boxed]
 * @property {boolean} [nearest]
 */

/**
 * @typedef {object} Part a stretch of a text
 * @property {string} text
 * @property {Mark[]} marks
 * @property {number} [more]
 * @property {string} [role]
 * @property {string} [indent]
 * @property {[number, number]} [cell] its row and column in a table
 * @property {{ verdict: string, words: string }} [given]
 * @property {string} [kind]
 */

/**
 * @typedef {object} Diff two texts as one
 * @property {{ kind: string, text: string }[]} parts
 * @property {string} words
 */

/**
 * The place of a claim: its number on the screen, and in a pair its side and its index there.
 *
 * @typedef {{ number: number, side?: "before" | "after", at?: number }} Place
 */

/**
 * What every view of claims is sent; each adds to it.
 *
 * @template Payload
 * @typedef {object} ViewData
 * @property {string} subject
 * @property {string} [revision]
 * @property {string | null} [row]
 * @property {number} turn
 * @property {Place | null} selected
 * @property {Styles} styles
 * @property {Payload} payload
 */

/**
 * @typedef {object} AnswerData
 * @property {boolean} [is_single]
 * @property {Record<string, string>} [page_keys]
 * @property {(string | null)[]} [marks]
 * @property {number | null} height
 * @typedef {object} AnswerPayload
 * @property {string | null} question
 * @property {Part[]} answer
 * @property {Claim[]} claims
 * @property {Chunk[]} chunks
 * @property {string} state
 * @property {string | null} sentence
 * @property {string | null} error
 */

/**
 * @typedef {{ who: string, verdict: string, words: string }} OtherVerdict
 * @typedef {object} Claim
 * @property {number} number
 * @property {string} verdict
 * @property {string} words
 * @property {string | null} confidence
 * @property {string} text
 * @property {string} explanation
 * @property {string | null} hallucination_type
 * @property {string | null} severity
 * @property {string | null} correction
 * @property {string} correction_lead
 * @property {string[]} chunk_ids
 * @property {boolean} is_anchored
 * @property {string[]} unverified_chunk_ids
 * @property {string | null} nearest_chunk_id
 * @property {OtherVerdict | null} other
 * @property {string | null} found_by
 * @property {string | null} decided_by
 * @property {boolean} is_counted
 */

/**
 * @typedef {object} Chunk
 * @property {string} id
 * @property {number} rank
 * @property {string | null} score
 * @property {[string, string][]} metadata
 * @property {Part[]} parts
 * @property {boolean} is_record
 * @property {number[] | null} cited_by
 * @property {{ claim: number, text: string }[]} unverified
 */

/**
 * @typedef {"before" | "after"} Side
 * @typedef {object} PairPayload
 * @property {string | null} question
 * @property {SideAnswer} before
 * @property {SideAnswer} after
 * @property {Diff | null} diff
 * @property {ClaimRow[]} claims
 * @property {ChunkRow[]} chunks
 * @typedef {object} SideAnswer
 * @property {string} title
 * @property {string} score
 * @property {Part[]} parts
 * @property {string | null} sentence
 * @property {string | null} error
 */

/**
 * @typedef {object} ClaimRow
 * @property {number} number
 * @property {ClaimSide | null} before
 * @property {ClaimSide | null} after
 * @property {string} change
 * @property {string} words
 * @property {boolean} is_flipped
 * @property {{ value: string, cause: string, is_won: boolean } | null} effect
 * @typedef {object} ClaimSide
 * @property {number} at
 * @property {string | null} mark
 * @property {string} verdict
 * @property {string} verdict_words
 * @property {{ verdict: string, words: string } | null} people
 * @property {string} text
 * @property {string} explanation
 * @property {string[]} chunk_ids
 * @property {{ chunk_id: string, text: string }[]} quotes
 */

/**
 * @typedef {object} ChunkRow
 * @property {string} id
 * @property {string | null} other_id
 * @property {string} change
 * @property {string} words
 * @property {number | null} rank_before
 * @property {number | null} rank_after
 * @property {Part[]} parts
 * @property {Diff | null} diff
 * @property {number[]} cited_before
 * @property {number[]} cited_after
 */

export {};
