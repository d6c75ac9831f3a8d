/** What an operator did, as the audit log names it. */
const OPERATOR_ACTS = [
  'operator_added',
  'operator_reset',
  'operator_removed',
  'signed_in',
  'signed_out',
  'searched',
  'building_opened',
  'temperatures_read',
] as const
export type OperatorAct = (typeof OPERATOR_ACTS)[number]

/** Of the reason that a family reads. */
export const MIN_REASON_LENGTH = 10
export const MAX_REASON_LENGTH = 200
