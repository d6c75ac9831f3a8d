/**
 * Rendezvous hashing: of all members the one whose hash with the key is the highest. A member that joins or leaves moves
 * its own share only.
 */
export function ownerAmong(members: string[], key: string): string | undefined {
  const keyHash = hashOf(key)
  let owner: string | undefined
  let highest = -1
  for (const member of members) {
    const hash = mixed(keyHash ^ hashOf(member))
    if (hash < highest || (hash === highest && owner !== undefined && member < owner)) continue
    owner = member
    highest = hash
  }
  return owner
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** The finalizer of MurmurHash3: every bit of the input changes every bit of the result. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}
