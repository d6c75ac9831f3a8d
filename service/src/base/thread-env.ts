/** For threads that answer by messages: under `node --watch` they would report the files they load by messages too. */
export function threadEnv(): NodeJS.ProcessEnv {
  const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env
  return env
}
