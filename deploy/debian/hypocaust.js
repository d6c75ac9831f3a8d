#!/usr/lib/hypocaust/node
// /usr/bin/hypocaust. As root it acts as the service's user, with the service's settings: what it writes stays readable
// for the service.
const { existsSync } = require('node:fs')
const { userInfo } = require('node:os')

const USER = 'hypocaust'
const SETTINGS = '/etc/hypocaust/hypocaust.yaml'

const isRoot = process.getuid() === 0
if (existsSync(SETTINGS) && (isRoot || userInfo().username === USER)) process.env.HYPOCAUST_CONFIG ??= SETTINGS
if (isRoot) {
  process.initgroups(USER, USER)
  process.setgid(USER)
  process.setuid(USER)
  process.env.HOME = '/var/lib/hypocaust'
  process.env.CACHE_DIRECTORY = '/var/cache/hypocaust'
}
import('/usr/lib/hypocaust/dist/js/hypocaust.js')
