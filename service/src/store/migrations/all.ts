import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { v1Interface } from './0001-v1-interface.ts'
import { gateways } from './0002-gateways.ts'
import { heating } from './0003-heating.ts'
import { partitions } from './0004-partitions.ts'
import { processes } from './0005-processes.ts'
import { matter } from './0006-matter.ts'
import { web } from './0010-web.ts'
import { alerts } from './0012-alerts.ts'
import { warming } from './0013-warming.ts'
import { contacts } from './0014-contacts.ts'
import { sensorsInBuildings } from './0015-sensors-in-buildings.ts'
import { relays } from './0016-relays.ts'
import { saving } from './0017-saving.ts'
import { programme } from './0018-programme.ts'
import { snoozedAlerts } from './0019-snoozed-alerts.ts'
import { liveRevision } from './0020-live-revision.ts'
import { sessionNews } from './0021-session-news.ts'
import { members } from './0022-members.ts'
import { setpointChanges } from './0023-setpoint-changes.ts'
import { loops } from './0024-loops.ts'
import { invitations } from './0025-invitations.ts'
import { changeLog } from './0026-change-log.ts'
import { tags } from './0027-tags.ts'
import { energy } from './0028-energy.ts'
import { storeys } from './0029-storeys.ts'
import { heat } from './0031-heat.ts'
import { watchedRooms } from './0032-watched-rooms.ts'
import { roomIcons } from './0033-room-icons.ts'
import { supply } from './0034-supply.ts'
import { roomSavings } from './0035-room-savings.ts'
import { targetHold } from './0036-target-hold.ts'
import { claimedInvitations } from './0037-claimed-invitations.ts'
import { keysOfControl } from './0038-keys-of-control.ts'
import { promises } from './0039-promises.ts'
import { namedAgents } from './0040-named-agents.ts'
import { gatewayFiles } from './0041-gateway-files.ts'
import { namedAgentsSeen } from './0042-named-agents-seen.ts'
import { roomAir } from './0043-room-air.ts'
import { comfortVotes } from './0044-comfort-votes.ts'
import { webhooks } from './0045-webhooks.ts'
import { severalSensors } from './0046-several-sensors.ts'
import { heatCounters } from './0047-heat-counters.ts'
import { oauth } from './0048-oauth.ts'
import { powerLimits } from './0049-power-limits.ts'
import { screedRecords } from './0050-screed-records.ts'
import { recommendedUntil } from './0051-recommended-until.ts'
import { presence } from './0052-presence.ts'
import { operators } from './0053-operators.ts'
import { loopDetails } from './0054-loop-details.ts'
import { cooling } from './0056-cooling.ts'
import { calendars } from './0057-calendars.ts'
import { programmeLinks } from './0058-programme-links.ts'
import { warmFloors } from './0059-warm-floors.ts'
import { hotWater } from './0060-hot-water.ts'
import { limitRecords } from './0061-limit-records.ts'
import { heatWeather } from './0062-heat-weather.ts'
import { diagnoses } from './0063-diagnoses.ts'
import { buildingMoves } from './0064-building-moves.ts'
import { blinds } from './0066-blinds.ts'
import { traces } from './0068-traces.ts'
import { movedGrants } from './0069-moved-grants.ts'
import { covers } from './0071-covers.ts'
import { valveWindows } from './0072-valve-windows.ts'
import { type MIGRATION_NAMES, NewerDatabase, namesDone } from './names.ts'
import type { Engine } from './types.ts'

const MIGRATIONS: Record<(typeof MIGRATION_NAMES)[number], (engine: Engine) => Migration> = {
  '0001-v1-interface': v1Interface,
  '0002-gateways': gateways,
  '0003-heating': heating,
  '0004-partitions': partitions,
  '0005-processes': processes,
  '0006-matter': matter,
  '0010-web': web,
  '0012-alerts': alerts,
  '0013-warming': warming,
  '0014-contacts': contacts,
  '0015-sensors-in-buildings': sensorsInBuildings,
  '0016-relays': relays,
  '0017-saving': saving,
  '0018-programme': programme,
  '0019-snoozed-alerts': snoozedAlerts,
  '0020-live-revision': liveRevision,
  '0021-session-news': sessionNews,
  '0022-members': members,
  '0023-setpoint-changes': setpointChanges,
  '0024-loops': loops,
  '0025-invitations': invitations,
  '0026-change-log': changeLog,
  '0027-tags': tags,
  '0028-energy': energy,
  '0029-storeys': storeys,
  '0031-heat': heat,
  '0032-watched-rooms': watchedRooms,
  '0033-room-icons': roomIcons,
  '0034-supply': supply,
  '0035-room-savings': roomSavings,
  '0036-target-hold': targetHold,
  '0037-claimed-invitations': claimedInvitations,
  '0038-keys-of-control': keysOfControl,
  '0039-promises': promises,
  '0040-named-agents': namedAgents,
  '0041-gateway-files': gatewayFiles,
  '0042-named-agents-seen': namedAgentsSeen,
  '0043-room-air': roomAir,
  '0044-comfort-votes': comfortVotes,
  '0045-webhooks': webhooks,
  '0046-several-sensors': severalSensors,
  '0047-heat-counters': heatCounters,
  '0048-oauth': oauth,
  '0049-power-limits': powerLimits,
  '0050-screed-records': screedRecords,
  '0051-recommended-until': recommendedUntil,
  '0052-presence': presence,
  '0053-operators': operators,
  '0054-loop-details': loopDetails,
  '0056-cooling': cooling,
  '0057-calendars': calendars,
  '0058-programme-links': programmeLinks,
  '0059-warm-floors': warmFloors,
  '0060-hot-water': hotWater,
  '0061-limit-records': limitRecords,
  '0062-heat-weather': heatWeather,
  '0063-diagnoses': diagnoses,
  '0064-building-moves': buildingMoves,
  '0066-blinds': blinds,
  '0068-traces': traces,
  '0069-moved-grants': movedGrants,
  '0071-covers': covers,
  '0072-valve-windows': valveWindows,
}

/** Carries out one migration and notes its name. */
export type RunMigration = (name: string, up: (db: Kysely<unknown>) => Promise<void>) => Promise<void>

export async function runMigrations(db: Kysely<unknown>, engine: Engine, runMigration: RunMigration): Promise<void> {
  await sql`create table if not exists kysely_migration
    (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(db)
  const done = await namesDone(db)
  refuseUnknown(done)
  // Some were released before others with a lower number; none depends on one of a higher number.
  for (const [name, make] of Object.entries(MIGRATIONS)) if (!done.has(name)) await runMigration(name, make(engine).up)
}

function refuseUnknown(done: Set<string>): void {
  const unknown = [...done].find((name) => !(name in MIGRATIONS))
  if (unknown !== undefined) throw new NewerDatabase(unknown)
}
