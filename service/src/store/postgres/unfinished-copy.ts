import type pg from 'pg'

/** There as long as a copy into the database is not complete and verified. */
export const UNFINISHED_COPY = 'unfinished_copy'

export async function refuseUnfinishedCopy(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('select to_regclass($1) is not null as found', [UNFINISHED_COPY])
  if (rows[0].found) throw new Error('a copy into it is not finished. Run hypocaust migrate-store again')
}
