import { StartupError } from '../base/startup-error.ts'

/** The settings of the service that say what this process does. */
interface RoleChoice {
  role: 'all' | 'api' | 'ingest' | 'operator'
  database_url?: string
  mqtt_url?: string
}

/** Processes that share the work find each other through a database and a broker that none of them has inside. */
export function checkRole({ role, database_url, mqtt_url }: RoleChoice): void {
  const missing = [
    ...(role !== 'all' && database_url === undefined ? ['HYPOCAUST_DATABASE_URL=postgres://host/database'] : []),
    ...(role === 'ingest' && mqtt_url === undefined ? ['HYPOCAUST_MQTT_URL=mqtt://host:1883'] : []),
  ]
  if (missing.length > 0) {
    throw new StartupError(
      `--role ${role} is for several processes on one PostgreSQL and one MQTT broker: set ${missing.join(' and ')}, or run --role all.`,
    )
  }
}
