import type { Permission, Role } from '@hypocaust/domain'
import type { ColumnType, Generated } from 'kysely'
import type { Bit, FixedAtInsert } from './columns.ts'

/** Written by better-auth; here only to look accounts up. */
export interface UserTable {
  id: FixedAtInsert<string>
  email: string
  name: string
}

export interface MemberTable {
  buildingId: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  role: Role
  /** Ids of the rooms of a guest, as JSON; null: all. */
  rooms: string | null
  /** From then on there is no access; null: never. */
  endsAt: number | null
  createdAt: FixedAtInsert<number>
}

/** A person with the secret may join, once. */
export interface InvitationTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  secretHash: FixedAtInsert<string>
  role: FixedAtInsert<Role>
  rooms: FixedAtInsert<string | null>
  endsAt: FixedAtInsert<number | null>
  /** The one address that may accept; null: any. */
  email: FixedAtInsert<string | null>
  /** Of a handover: what becomes of the person who invites, and until when. */
  giver: FixedAtInsert<'leaves' | 'installer' | null>
  giverEndsAt: FixedAtInsert<number | null>
  invitedBy: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
  expiresAt: FixedAtInsert<number>
  acceptedBy: string | null
  /** 1 where the secret was sent to the address and shown to nobody. */
  isMailed: Generated<number>
  /** The new account that has the secret and has not proved the address. */
  claimedBy: string | null
}

export interface ApiKeyTable {
  id: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  name: string
  /** Of the key; of what an app was granted, of the access token, which is replaced again and again. */
  hash: string
  hint: FixedAtInsert<string>
  permission: FixedAtInsert<Permission>
  /** Ids of the buildings it is limited to, as JSON; null: all of its holder. An app's are in `oauth_buildings`. */
  buildings: FixedAtInsert<string | null>
  /** Whether it also opens the settings of the heating control. */
  control: ColumnType<Bit, Bit | undefined, never>
  createdAt: FixedAtInsert<number>
  lastUsedAt: number | null
  /** Of what an app was granted, the end of the access token. */
  expiresAt: number | null
  revokedAt: number | null
  /** The app that it was granted to; null for a key. */
  clientId: ColumnType<string | null, string | null | undefined, never>
  /** When what an app was granted ends unless it asks for another access token before. */
  grantEndsAt: ColumnType<number | null, number | null | undefined, number>
}

/** An app of a third party. */
export interface OauthClientTable {
  id: FixedAtInsert<string>
  name: FixedAtInsert<string>
  /** As JSON. */
  redirectUris: FixedAtInsert<string>
  /** By dynamic registration; else by the operator. */
  isSelfRegistered: FixedAtInsert<Bit>
  createdAt: FixedAtInsert<number>
}

/** What an app may do in a building, as long as the account that granted it is a member there. */
export interface OauthBuildingTable {
  keyId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  permission: FixedAtInsert<Permission>
}

export interface OauthRefreshTokenTable {
  hash: FixedAtInsert<string>
  keyId: FixedAtInsert<string>
  /** When another one took its place; null for the one that counts. */
  replacedAt: number | null
}

export interface OauthCodeTable {
  hash: FixedAtInsert<string>
  clientId: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  redirectUri: FixedAtInsert<string>
  /** SHA-256 of what the app has to show for it. */
  challenge: FixedAtInsert<string>
  /** What was granted in which building, as JSON. */
  buildings: FixedAtInsert<string>
  expiresAt: FixedAtInsert<number>
  /** What it was exchanged for. */
  keyId: string | null
}

export interface OauthDeviceTable {
  hash: FixedAtInsert<string>
  userCode: FixedAtInsert<string>
  clientId: FixedAtInsert<string>
  permission: FixedAtInsert<Permission>
  expiresAt: FixedAtInsert<number>
  /** How long the device has to wait between two questions. */
  intervalS: number
  askedAt: number | null
  /** Who has decided; null while nobody has. */
  accountId: string | null
  /** What was granted in which building, as JSON; null where nothing was. */
  buildings: string | null
  keyId: string | null
}
