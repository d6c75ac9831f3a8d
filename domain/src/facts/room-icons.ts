/** Pictures of rooms, each with the words in names by which it is chosen unless another one is. */
const WORDS = {
  toilet: ['toilet', 'wc', 'cloakroom', 'gästebad', 'klo'],
  bath: ['bath', 'shower', 'sauna', 'wellness', 'spa', 'bad', 'dusche'],
  kitchen: ['kitchen', 'küche', 'pantry'],
  dining: ['dining', 'ess'],
  child: ['child', 'kid', 'nursery', 'play', 'kinder', 'baby', 'spiel'],
  bedroom: ['bed', 'sleep', 'guest', 'schlaf', 'gäste', 'gast'],
  office: ['office', 'study', 'work', 'büro', 'arbeit', 'library', 'bibliothek'],
  hall: ['hall', 'corridor', 'entrance', 'landing', 'stair', 'lobby', 'flur', 'diele', 'gang', 'eingang', 'treppe'],
  laundry: ['laundry', 'utility', 'wash', 'wasch', 'hauswirtschaft', 'technik', 'hwr'],
  cellar: ['cellar', 'basement', 'keller', 'storage', 'lager', 'abstell'],
  garage: ['garage', 'workshop', 'werkstatt', 'carport'],
  attic: ['attic', 'loft', 'dach', 'boden', 'studio'],
  living: ['living', 'lounge', 'sitting', 'family', 'tv', 'wohn', 'stube', 'salon'],
  room: [],
} as const satisfies Record<string, readonly string[]>

export type RoomIcon = keyof typeof WORDS
export const ROOM_ICONS = Object.keys(WORDS) as RoomIcon[]

/** By the beginnings of words, the first icon that fits: "Bad" and "Badezimmer", but not "Ibadan". */
export function iconByName(name: string): RoomIcon {
  const words = name.toLowerCase().split(/[^\p{L}]+/u)
  const fits = (icon: RoomIcon) => WORDS[icon].some((start) => words.some((word) => word.startsWith(start)))
  return ROOM_ICONS.find(fits) ?? 'room'
}
