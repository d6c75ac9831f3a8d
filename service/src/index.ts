export { type Clock, systemClock } from './base/clock.ts'
export { createLogger } from './base/logger.ts'
export type { Quotas } from './base/quotas.ts'
export { newSecret } from './base/secret.ts'
export { StartupError, UsageError } from './base/startup-error.ts'
export { VERSION, WHOLE_VERSION } from './base/version.ts'
export { zipped } from './base/zip.ts'
export { explanationView } from './doors/http/explanation-view.ts'
export type { Asked, Fault, FaultPlan, Refusal } from './doors/http/v1/faults.ts'
export { installationOf } from './doors/installation.ts'
export { checkBroker } from './doors/mqtt/check.ts'
export { MOSQUITTO_SERVICE_USER, mosquittoAcl, mosquittoConfig, mosquittoPasswords } from './doors/mqtt/mosquitto.ts'
export { authorityFingerprint, hasLocalTls, initLocalTls, type LocalTls, readLocalTls } from './doors/tls/local.ts'
export { inUrl, normalName, thisMachine } from './doors/tls/names.ts'
export { type AppliedHouse, applyHouse } from './house/buildings/apply.ts'
export { BuildingRooms } from './house/buildings/building-rooms.ts'
export { listAllBuildings } from './house/buildings/buildings.ts'
export { parseHouseFile } from './house/buildings/house-file.ts'
export { BRIDGE_REPORT_INTERVAL_MS, bridgeStopped, reportBridge } from './house/buildings/matter-bridge.ts'
export type { MovedBuilding, MoveWanted } from './house/buildings/move/move.ts'
export type { Address } from './house/buildings/move/stages.ts'
export { type RestoredBuilding, restoreBuilding } from './house/buildings/restore.ts'
export { calendarNetwork } from './house/calendars/network.ts'
export type { HouseProblem } from './house/form-problems.ts'
export {
  addGateway,
  type GatewayFilter,
  type GatewayRow,
  listGateways,
  removeGateway,
  rotateToken,
} from './house/gateways/gateways.ts'
export { pairingCommand, pairingLink } from './house/gateways/invitation.ts'
export { createPairingCode, PAIRING_VALID_S } from './house/gateways/pairing.ts'
export { countHeat } from './house/heat/count.ts'
export { explainRoom, type RoomExplanation } from './house/heating/explanation.ts'
export { isKept, promisedBy } from './house/heating/promises.ts'
export { problemReport } from './house/problem-report.ts'
export { raiseLive } from './house/revisions.ts'
export { changeWatching } from './house/rooms/manage.ts'
export { changePlan, type Plan, parsePlan, planOf, planText } from './house/rooms/plan-file.ts'
export { findRooms } from './house/rooms/rooms.ts'
export { sensorIdsOf } from './house/sensors.ts'
export type { WeatherProvider } from './house/weather/weather.ts'
export { type RunningService, type ServiceExtras, startService } from './main.ts'
export { type Account, createAccount, findAccount, listAccounts, resetPassword } from './people/accounts/accounts.ts'
export { accountFiles } from './people/accounts/archive.ts'
export { removeAccount } from './people/accounts/remove.ts'
export { readAuthSecret } from './people/accounts/secret.ts'
export { standingAlerts } from './people/alerts/alerts.ts'
export { endedWithRooms } from './people/alerts/removed-rooms.ts'
export { type ApiKey, createKey, listKeys, revokeKey } from './people/keys/keys.ts'
export { makeLink } from './people/links/programme-links.ts'
export { invite } from './people/members/invitations.ts'
export { checkMail } from './people/notify/mail/check.ts'
export type { PushNetwork } from './people/notify/push/network.ts'
export { addClient, listClients, type OauthClient, removeClient } from './people/oauth/clients.ts'
export { grantedApps } from './people/oauth/granted-apps.ts'
export { actsOf } from './people/operators/acts.ts'
export { addOperator, listOperators, removeOperator, resetOperator } from './people/operators/operators.ts'
export { enrolmentLink } from './people/operators/second-factor.ts'
export { letHeapDouble } from './processes/heap-growth.ts'
export { isGiven, readSettings, SETTINGS, type SettingName, type Settings, withoutSecrets } from './settings.ts'
export { checkData } from './store/check.ts'
export type { CopyProgress, VerifiedTable } from './store/copy/copy.ts'
export { openStore } from './store/open.ts'
export { backUp } from './store/sqlite/backup.ts'
export { lockFolder } from './store/sqlite/one-service.ts'
export { restore } from './store/sqlite/restore.ts'
export type { Store } from './store/store.ts'

/** With PostgreSQL's driver, which is loaded only where it is used. */
export const copyStore = async (...given: Parameters<typeof import('./store/copy/copy.ts').copyStore>) =>
  (await import('./store/copy/copy.ts')).copyStore(...given)

/** With PostgreSQL's driver too. */
export const moveBuilding = async (
  ...given: Parameters<typeof import('./house/buildings/move/move.ts').moveBuilding>
) => (await import('./house/buildings/move/move.ts')).moveBuilding(...given)

export const undoMove = async (...given: Parameters<typeof import('./house/buildings/move/move.ts').undoMove>) =>
  (await import('./house/buildings/move/move.ts')).undoMove(...given)
