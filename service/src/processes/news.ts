/** Something that this process or another has put into the database. */
export type Happening =
  /** Settings or structure of a building have changed, or it is gone. */
  | { kind: 'building'; buildingId: string; accountId: string }
  /** A key was made or revoked. */
  | { kind: 'key'; accountId: string }
  /** A session has ended: signed out, or with the password. */
  | { kind: 'session'; accountId: string }
  /** Readings of these buildings have come, and what was decided from them. */
  | { kind: 'heard'; buildingIds: string[] }
  /** News may have been missed. */
  | { kind: 'anything' }

export interface News {
  /** False: nothing is announced, and readers have to poll. */
  readonly isLive: boolean
  /** Returns how to stop listening. */
  subscribe(listener: (what: Happening) => void): () => void
  heard(buildingId: string): void
}

/** For a database that reports no changes. */
export const noNews: News = { isLive: false, subscribe: () => () => {}, heard: () => {} }
