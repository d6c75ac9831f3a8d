import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/**
 * A sensor is identified by its building and its address: neighbours hear each other's sensors. `id` stays what the
 * history refers to, so that no row of it has to be rewritten; those of before have their address as their id.
 */
export const sensorsInBuildings = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .alterTable('sensors')
      .addColumn('address', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable('sensors').addColumn('received_at', time).execute()
    if (engine === 'postgres') await addressSensorsOfOlderProcesses(db)
    await addressAll(db, engine)
    await db.schema.createIndex('sensors_address').on('sensors').columns(['building_id', 'address']).unique().execute()
  },
})

/** Processes of the version before go on adding sensors, and know nothing of addresses. */
async function addressSensorsOfOlderProcesses(db: Kysely<unknown>) {
  await sql`create function hypocaust_address_sensor() returns trigger language plpgsql as $$
    begin
      new.address := new.id;
      new.received_at := new.measured_at;
      return new;
    end $$`.execute(db)
  await sql`create trigger address_sensor before insert on sensors
    for each row when (new.address = '') execute function hypocaust_address_sensor()`.execute(db)
}

async function addressAll(db: Kysely<unknown>, engine: Engine) {
  const update = 'update sensors set address = id, received_at = measured_at'
  // Row by row it would wait for transactions that wait for it.
  const locked = `do $$ begin lock table sensors in share row exclusive mode; ${update}; end $$`
  await sql.raw(engine === 'sqlite' ? update : locked).execute(db)
}
