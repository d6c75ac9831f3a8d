#!/usr/lib/hypocaust/node
// /usr/bin/hypocaust-gateway. As root it acts as the agent's user, in the agent's folder.
const USER = 'hypocaust-gateway'
const FOLDER = '/var/lib/hypocaust-gateway'

if (process.getuid() === 0) {
  process.initgroups(USER, USER)
  process.setgid(USER)
  process.setuid(USER)
  process.env.HOME = FOLDER
  process.env.CACHE_DIRECTORY = '/var/cache/hypocaust-gateway'
  process.chdir(FOLDER)
}
import('/usr/lib/hypocaust-gateway/dist/js/gateway.js')
