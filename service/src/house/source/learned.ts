export interface LearnedRow {
  learnedSource: string | null
}

/** What the meters of a heat pump have taught. */
interface LearnedSource {
  /** The share of the Carnot limit that it reaches. */
  quality: number
  /** Days on which both meters reported. */
  days: number
}

export const learnedSourceOf = ({ learnedSource }: LearnedRow): LearnedSource | null =>
  learnedSource === null ? null : (JSON.parse(learnedSource) as LearnedSource)
