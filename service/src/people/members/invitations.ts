import { randomUUIDv7 } from 'node:crypto'
import { type InvitationEntry, type InvitationLook, type NewInvitation, timestampOf } from '@hypocaust/domain'
import { DAY_MS } from '@hypocaust/domain/facts'
import type { Compilable, Selectable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { NO_QUOTAS } from '../../base/quotas.ts'
import { hashSecret, isWellFormed, newSecret } from '../../base/secret.ts'
import { record, recordFound } from '../../house/change-log/record.ts'
import { raiseRevision } from '../../house/revisions.ts'
import type { Limit } from '../../store/batch.ts'
import { buildingsOfAccount, limitsOf, refuseBeyond } from '../../store/quotas.ts'
import { isStoreError, type Store, type StoreError } from '../../store/store.ts'
import type { InvitationTable } from '../../store/tables/people.ts'
import type { MemberScope } from './grant.ts'
import { commitMembers, grantOf } from './members.ts'
import { roleChange, withdrawnInvitation } from './record-role.ts'

const INVITATION_VALID_DAYS = 7
const MOST_OPEN = 50
const TOO_MANY = 'too many invitations'
const NOT_ACCEPTED = 'not accepted'

type InvitationRow = Selectable<InvitationTable>

/** The secret is in the answer and nowhere else: only its hash is stored. */
export async function invite(
  store: Store,
  clock: Clock,
  { buildingId, accountId: invitedBy }: MemberScope,
  wanted: NewInvitation,
): Promise<{ entry: InvitationEntry; secret: string }> {
  const nowMs = clock.now()
  const grant = await grantOf(store, buildingId, wanted, nowMs)
  const { hand_over: handOver } = wanted
  if (handOver && grant.role !== 'owner') throw errors.invalidValue('hand_over: the role must be owner.')
  const giver = handOver && (await giverOf(store, buildingId, handOver, nowMs))
  const secret = newSecret('hypi_')
  const row: InvitationRow = {
    id: randomUUIDv7(),
    buildingId,
    secretHash: hashSecret(secret),
    ...grant,
    email: wanted.email?.trim().toLowerCase() ?? null,
    giver: giver?.role ?? null,
    giverEndsAt: giver?.endsAt ?? null,
    invitedBy,
    createdAt: nowMs,
    // What is granted has an end too: after it the link would open nothing.
    expiresAt: Math.min(nowMs + INVITATION_VALID_DAYS * DAY_MS, grant.endsAt ?? Number.POSITIVE_INFINITY),
    acceptedBy: null,
    isMailed: 0,
    claimedBy: null,
  }
  const forgotten = store.db
    .deleteFrom('invitations')
    .where('buildingId', '=', buildingId)
    .where((eb) => eb.or([eb('expiresAt', '<=', nowMs), eb('acceptedBy', 'is not', null)]))
  try {
    const { id: subjectId, email, role, rooms, endsAt } = row
    const entry = { buildingId, subjectId, subject: email ?? '', field: 'invitation', after: [role, rooms, endsAt] }
    await store.batch(
      [
        raiseRevision.with(store, { buildingId, nowMs }),
        forgotten,
        store.db.insertInto('invitations').values(row),
        record(store, nowMs, entry),
      ],
      [openOnes(store, buildingId)],
    )
  } catch (error) {
    if (isStoreError(error, 'limit'))
      throw errors.quotaReached(`The building already has ${MOST_OPEN} open invitations; withdraw one first.`)
    throw error
  }
  return { entry: entryOf({ ...row, claimant: null }), secret }
}

/** The secret is in the mailbox alone: with it, an account proves that it has the address. */
export async function noteMailed({ db }: Store, id: string): Promise<void> {
  await db.updateTable('invitations').set({ isMailed: 1 }).where('id', '=', id).execute()
}

const openOnes = ({ db }: Store, buildingId: string): Limit => ({
  ownerId: buildingId,
  name: TOO_MANY,
  most: MOST_OPEN,
  count: db
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('buildingId', '=', buildingId),
})

type HandOver = NonNullable<NewInvitation['hand_over']>

async function giverOf(store: Store, buildingId: string, { giver, until }: HandOver, nowMs: number) {
  if (giver === 'leaves') return { role: 'leaves' as const, endsAt: null }
  const grant = { role: 'installer' as const, ...(until !== undefined && { until }) }
  return { role: 'installer' as const, endsAt: (await grantOf(store, buildingId, grant, nowMs)).endsAt }
}

export async function openInvitationsOf({ db }: Store, buildingId: string, nowMs: number): Promise<InvitationEntry[]> {
  const rows = await db
    .selectFrom('invitations')
    .leftJoin('user', 'user.id', 'invitations.claimedBy')
    .selectAll('invitations')
    .select('user.email as claimant')
    .where('buildingId', '=', buildingId)
    .where('acceptedBy', 'is', null)
    .where('expiresAt', '>', nowMs)
    .orderBy('invitations.id')
    .execute()
  return rows.map(entryOf)
}

/** False when there is no such open invitation. */
export async function withdrawInvitation(store: Store, clock: Clock, buildingId: string, id: string): Promise<boolean> {
  const nowMs = clock.now()
  const results = await store.batch([
    raiseRevision.with(store, { buildingId, nowMs }),
    recordFound(store, nowMs, [withdrawnInvitation(store, buildingId, id)]),
    store.db
      .deleteFrom('invitations')
      .where('id', '=', id)
      .where('buildingId', '=', buildingId)
      .where('acceptedBy', 'is', null),
  ])
  return results.at(-1)?.affectedRows === 1
}

/** Refuses a secret that is wrong, used, withdrawn or too old, without saying which. */
export async function findInvitation({ db }: Store, secret: string, nowMs: number): Promise<InvitationRow> {
  const row = isWellFormed('hypi_', secret)
    ? await db
        .selectFrom('invitations')
        .selectAll()
        .where('secretHash', '=', hashSecret(secret))
        .where('acceptedBy', 'is', null)
        .where('expiresAt', '>', nowMs)
        .executeTakeFirst()
    : undefined
  if (!row) throw errors.noSuchInvitation()
  return row
}

/** As the invited person sees it before accepting. */
export async function lookAtInvitation(store: Store, secret: string, nowMs: number): Promise<InvitationLook> {
  const row = await findInvitation(store, secret, nowMs)
  const [building, inviter, rooms] = await Promise.all([
    store.db.selectFrom('buildings').select(['name', 'timezone']).where('id', '=', row.buildingId).executeTakeFirst(),
    store.db.selectFrom('user').select('email').where('id', '=', row.invitedBy).executeTakeFirst(),
    store.db.selectFrom('rooms').select(['id', 'name']).where('buildingId', '=', row.buildingId).execute(),
  ])
  if (!building || !inviter) throw errors.noSuchInvitation()
  const chosen = new Set<string>(JSON.parse(row.rooms ?? '[]'))
  const { id: _id, room_ids: _ids, claimed_by: _claimant, email, ...entry } = entryOf({ ...row, claimant: null })
  const names = rooms.filter(({ id }) => chosen.has(id)).map(({ name }) => name)
  return {
    ...entry,
    email: email && masked(email),
    building: building.name,
    timezone: building.timezone,
    rooms: names,
    invited_by: inviter.email,
  }
}

/** Enough for the person to know which address is meant, too little for anybody else to give it as theirs. */
const masked = (email: string): string => `${email.slice(0, 1)}…`

export interface Person {
  accountId: string
  email: string
}

/**
 * Whether the link alone says that the account has the address: it was not sent there alone, and the account was made
 * after it. Ids begin with the time at which they were made.
 */
const isUnproven = ({ id, email, isMailed }: InvitationRow, { accountId }: Person): boolean =>
  email !== null && isMailed === 0 && accountId > id

/** Accepts it, or, for an account that has not proved the address, leaves it to an owner. */
export async function acceptOrClaim(
  store: Store,
  nowMs: number,
  invitation: InvitationRow,
  person: Person,
  quotas = NO_QUOTAS,
  first: Compilable[] = [],
): Promise<'accepted' | 'claimed'> {
  requireAddress(invitation, person)
  if (!isUnproven(invitation, person)) {
    await acceptInvitation(store, nowMs, invitation, person, quotas, first)
    return 'accepted'
  }
  const { id, buildingId } = invitation
  const claim = store.db
    .updateTable('invitations')
    .set({ claimedBy: person.accountId })
    .where('id', '=', id)
    .where('acceptedBy', 'is', null)
    .where((eb) => eb.or([eb('claimedBy', 'is', null), eb('claimedBy', '=', person.accountId)]))
  // In one transaction with the account: a claim that came second leaves none behind.
  try {
    await store.batch(
      [...first, raiseRevision.with(store, { buildingId, nowMs }), claim],
      [isHeldBy(store, invitation, 'claimedBy', person.accountId)],
    )
  } catch (error) {
    if (isStoreError(error, 'limit') && (error as StoreError).message === NOT_ACCEPTED) throw errors.noSuchInvitation()
    throw error
  }
  return 'claimed'
}

/** An owner says that the account which claimed it is the person meant. */
export async function confirmClaim(
  store: Store,
  clock: Clock,
  buildingId: string,
  id: string,
  quotas = NO_QUOTAS,
): Promise<void> {
  const nowMs = clock.now()
  const row = await store.db
    .selectFrom('invitations')
    .innerJoin('user', 'user.id', 'invitations.claimedBy')
    .selectAll('invitations')
    .select(['user.id as accountId', 'user.email as claimant'])
    .where('invitations.id', '=', id)
    .where('buildingId', '=', buildingId)
    .where('acceptedBy', 'is', null)
    .where('expiresAt', '>', nowMs)
    .executeTakeFirst()
  if (!row) throw errors.noSuch('invitation', id)
  const { accountId, claimant, ...invitation } = row
  await acceptInvitation(store, nowMs, invitation, { accountId, email: claimant }, quotas)
}

function requireAddress(invitation: InvitationRow, { email }: Person): void {
  if (invitation.email !== null && invitation.email !== email.toLowerCase()) throw errors.otherAddress()
}

/** Once: of two people who accept at the same moment, one is refused. `first` are writes that belong to it. */
async function acceptInvitation(
  store: Store,
  nowMs: number,
  invitation: InvitationRow,
  { accountId, email }: Person,
  quotas = NO_QUOTAS,
  first: Compilable[] = [],
): Promise<void> {
  const { buildingId } = invitation
  const writes = [...first, ...writesOf(store, nowMs, invitation, { accountId, email })]
  // A building that is handed over becomes one of the receiver's.
  const counted = invitation.giver === null ? [] : limitsOf(quotas, [buildingsOfAccount(store, accountId)])
  try {
    await commitMembers(store, nowMs, buildingId, writes, [
      isHeldBy(store, invitation, 'acceptedBy', accountId),
      ...counted,
    ])
  } catch (error) {
    refuseBeyond(quotas, error)
    if (!isStoreError(error, 'limit') || (error as StoreError).message !== NOT_ACCEPTED) throw error
    if (await isOwner(store, buildingId, accountId)) throw errors.taken('You are already an owner of this building.')
    throw errors.noSuchInvitation()
  }
}

function writesOf(store: Store, nowMs: number, invitation: InvitationRow, { accountId, email }: Person): Compilable[] {
  const { db } = store
  const { id, buildingId, invitedBy, role, rooms, endsAt, giver, giverEndsAt } = invitation
  const owners = db
    .selectFrom('members')
    .select('accountId')
    .where('buildingId', '=', buildingId)
    .where('role', '=', 'owner')
  const claim = db
    .updateTable('invitations')
    .set({ acceptedBy: accountId })
    .where('id', '=', id)
    .where('acceptedBy', 'is', null)
    .where('expiresAt', '>', nowMs)
    .where('invitedBy', 'in', owners)
    .where(({ not, exists }) => not(exists(owners.where('accountId', '=', accountId))))
  const join = db
    .insertInto('members')
    .values({ buildingId, accountId, role, rooms, endsAt, createdAt: nowMs })
    .onConflict((conflict) => conflict.columns(['buildingId', 'accountId']).doUpdateSet({ role, rooms, endsAt }))
  const ofGiver = { buildingId, accountId: invitedBy }
  const joined = roleChange(store, { buildingId, accountId }, { role, rooms, endsAt })
  const actor = { kind: 'person', name: email, accountId, role } as const
  if (giver === null) return [claim, recordFound(store, nowMs, [joined], actor), join]
  const stays = giver === 'leaves' ? null : ({ role: 'installer', rooms: null, endsAt: giverEndsAt } as const)
  const entries = recordFound(store, nowMs, [joined, roleChange(store, ofGiver, stays)], actor)
  const leave =
    giver === 'leaves'
      ? db.deleteFrom('members').where('buildingId', '=', buildingId).where('accountId', '=', ofGiver.accountId)
      : db
          .updateTable('members')
          .set({ role: 'installer', endsAt: giverEndsAt })
          .where('buildingId', '=', buildingId)
          .where('accountId', '=', ofGiver.accountId)
  return [claim, entries, join, leave]
}

/** Fails the whole transaction where the claim found nothing to claim. */
const isHeldBy = (
  { db }: Store,
  { id, buildingId }: InvitationRow,
  how: 'acceptedBy' | 'claimedBy',
  accountId: string,
): Limit => ({
  ownerId: buildingId,
  name: NOT_ACCEPTED,
  most: 0,
  count: db.selectNoFrom((eb) =>
    eb
      .case()
      .when(eb.exists(eb.selectFrom('invitations').select('id').where('id', '=', id).where(how, '=', accountId)))
      .then(0)
      .else(1)
      .end()
      .as('count'),
  ),
})

async function isOwner({ db }: Store, buildingId: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('role')
    .where('buildingId', '=', buildingId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return row?.role === 'owner'
}

function entryOf(row: InvitationRow & { claimant: string | null }): InvitationEntry {
  const stamp = (atMs: number | null) => (atMs === null ? null : timestampOf(atMs))
  return {
    id: row.id,
    role: row.role,
    until: stamp(row.endsAt),
    email: row.email,
    expires_at: timestampOf(row.expiresAt),
    room_ids: row.rooms === null ? null : JSON.parse(row.rooms),
    claimed_by: row.claimant,
    hand_over:
      row.giver === null
        ? null
        : { giver: row.giver, ...(row.giverEndsAt !== null && { until: timestampOf(row.giverEndsAt) }) },
  }
}
