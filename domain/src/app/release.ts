import Type, { type Static } from 'typebox'
import { Nullable, OneOf } from '../schema.ts'

export const INSTALLED_AS = ['sources', 'npm', 'debian', 'image', 'home-assistant'] as const
export type InstalledAs = (typeof INSTALLED_AS)[number]

const Release = Type.Object({
  version: Type.String(),
  notes: Type.String({ description: 'What it brings, as its authors wrote it.' }),
  url: Type.String({ description: 'Where that can be read.' }),
})
export type Release = Static<typeof Release>

export const ReleaseState = Type.Object({
  latest: Nullable(Release),
  installed_as: OneOf(INSTALLED_AS, 'How this installation was made, and is updated.'),
})
export type ReleaseState = Static<typeof ReleaseState>
