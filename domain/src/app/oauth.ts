import Type, { type Static } from 'typebox'
import { Permission } from '../key.ts'
import { Nullable, Timestamp, Uuid } from '../schema.ts'

const GrantedBuilding = Type.Object(
  { id: Uuid('A building.', '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'), permission: Permission },
  { additionalProperties: false },
)

const GrantedBuildings = Type.Array(GrantedBuilding, {
  maxItems: 100,
  description: 'What is granted in which building; empty: nothing, the app is refused.',
})

const Parameter = (description: string) => Type.Optional(Type.String({ maxLength: 2048, description }))

/** As the app wrote it into the address that it opened. */
export const AuthorizationRequest = Type.Object(
  {
    client_id: Parameter('The app.'),
    redirect_uri: Parameter('Where the answer goes; one that is registered for the app.'),
    response_type: Parameter('`code`.'),
    scope: Parameter('`read`, or `read control`.'),
    state: Parameter('Comes back unchanged.'),
    code_challenge: Parameter('SHA-256 of a secret of the app, as base64url.'),
    code_challenge_method: Parameter('`S256`.'),
    resource: Parameter('The address of this service.'),
  },
  { additionalProperties: false },
)
export type AuthorizationRequest = Static<typeof AuthorizationRequest>

/** What a person has to know of an app before granting it anything. */
const AskingApp = {
  name: Type.String({ description: 'As the app calls itself.' }),
  is_verified: Type.Boolean({ description: 'Whether the operator has registered it; else it did so itself.' }),
  permission: Permission,
}

export const AuthorizationQuestion = Type.Object({
  ...AskingApp,
  leads_to: Type.String({ description: 'Host, or scheme of an app, where the answer goes.' }),
})
export type AuthorizationQuestion = Static<typeof AuthorizationQuestion>

export const AuthorizationLook = Type.Object({
  question: Nullable(AuthorizationQuestion),
  redirect: Nullable(Type.String({ description: 'Where to go at once: the request cannot be granted.' })),
})
export type AuthorizationLook = Static<typeof AuthorizationLook>

export const AuthorizationDecision = Type.Object(
  { request: AuthorizationRequest, buildings: GrantedBuildings },
  { additionalProperties: false },
)
export type AuthorizationDecision = Static<typeof AuthorizationDecision>

export const AuthorizationResult = Type.Object({ redirect: Type.String({ description: 'Where to go now.' }) })
export type AuthorizationResult = Static<typeof AuthorizationResult>

const UserCode = Type.String({ minLength: 1, maxLength: 20, description: 'As the device shows it.' })

export const DeviceLook = Type.Object({ user_code: UserCode }, { additionalProperties: false })
export type DeviceLook = Static<typeof DeviceLook>

export const DeviceQuestion = Type.Object(AskingApp)
export type DeviceQuestion = Static<typeof DeviceQuestion>

export const DeviceDecision = Type.Object(
  { user_code: UserCode, buildings: GrantedBuildings },
  { additionalProperties: false },
)
export type DeviceDecision = Static<typeof DeviceDecision>

export const ConnectedApp = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'As the app calls itself.' }),
  granted: Timestamp('When the account granted it access.'),
  last_used: Nullable(Timestamp('To a few minutes.')),
  buildings: Type.Array(Type.Object({ ...GrantedBuilding.properties, name: Type.String() })),
})
export type ConnectedApp = Static<typeof ConnectedApp>
