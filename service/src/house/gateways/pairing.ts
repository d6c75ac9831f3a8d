import { randomInt } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { hashSecret } from '../../base/secret.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { recordOfGateway } from '../change-log/record-things.ts'
import { raiseRevision } from '../revisions.ts'
import { newGatewayToken } from './token.ts'

export const PAIRING_VALID_S = 15 * 60

/** No characters that look alike on a screen. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8

interface PairedGateway {
  id: string
  token: string
  name: string
  building: string
  /** Its gateway.yaml as the box before had it, without secrets. */
  file: string | null
}

/** A code that a gateway exchanges for its token: once, within a quarter of an hour. A newer code voids the older. */
export async function createPairingCode(store: Store, clock: Clock, gatewayId: string): Promise<string> {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  const code = `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`
  const expiresAt = clock.now() + PAIRING_VALID_S * 1000
  await existing(
    gatewayId,
    store.batch([
      store.db
        .deleteFrom('pairingCodes')
        .where((eb) => eb.or([eb('gatewayId', '=', gatewayId), eb('expiresAt', '<=', clock.now())])),
      store.db.insertInto('pairingCodes').values({ codeHash: hashOf(code), gatewayId, expiresAt }),
    ]),
  )
  return code
}

/** A gateway that is removed at the same moment is one that does not exist. */
async function existing(gatewayId: string, write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (isStoreError(error, 'foreign_key')) throw errors.noSuch('gateway', gatewayId)
    throw error
  }
}

/** Undefined for a code that is wrong, used or too old: which of them is nobody's business. */
export async function exchangePairingCode(
  store: Store,
  clock: Clock,
  code: string,
): Promise<PairedGateway | undefined> {
  const { db } = store
  // Deleting is what makes it usable once: of two that come at the same moment, one finds nothing.
  const used = await db
    .deleteFrom('pairingCodes')
    .where('codeHash', '=', hashOf(code))
    .where('expiresAt', '>', clock.now())
    // One that lasts longer than any code was made before the clock was set back.
    .where('expiresAt', '<=', clock.now() + PAIRING_VALID_S * 1000)
    .returning('gatewayId')
    .executeTakeFirst()
  if (!used) return undefined
  const gateway = await db
    .selectFrom('gateways')
    .innerJoin('buildings', 'buildings.id', 'gateways.buildingId')
    .select(['gateways.id', 'gateways.name', 'buildings.name as building', 'gateways.buildingId', 'gateways.file'])
    .where('gateways.id', '=', used.gatewayId)
    .executeTakeFirst()
  if (!gateway) return undefined
  const { buildingId, ...paired } = gateway
  const { token, ...hashes } = newGatewayToken()
  const nowMs = clock.now()
  await store.batch([
    raiseRevision.with(store, { buildingId, nowMs }),
    db
      .updateTable('gateways')
      .set({ ...hashes, agentBoot: null })
      .where('id', '=', gateway.id),
    recordOfGateway(store, nowMs, gateway.id, 'gateway_paired', { kind: 'gateway', name: gateway.name }),
  ])
  return { ...paired, token }
}

const hashOf = (code: string): string => hashSecret(code.toUpperCase().replace(/[^0-9A-Z]/g, ''))
