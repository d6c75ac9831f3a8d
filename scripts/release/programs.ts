/** The command, the agent's own, and what Home Assistant starts. */
export const PROGRAMS = {
  hypocaust: 'cli/src/main.ts',
  gateway: 'gateway/src/main.ts',
  'home-assistant': 'deploy/home-assistant-app/run.ts',
}
