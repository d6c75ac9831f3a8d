import type { Permission } from '@hypocaust/domain'

/** What an app asks for. Controlling includes reading; neither opens the settings of the heating control. */
export const SCOPES = ['read', 'control'] as const

/** Reading where an app asks for nothing; undefined where it asks for something that does not exist. */
export function permissionIn(scope: string | undefined): Permission | undefined {
  const named = (scope ?? '').split(' ').filter((word) => word !== '')
  if (named.some((word) => !(SCOPES as readonly string[]).includes(word))) return undefined
  return named.includes('control') ? 'write' : 'read'
}

export const scopeOf = (permission: Permission): string => (permission === 'write' ? 'read control' : 'read')
