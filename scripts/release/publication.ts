import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Publication {
  owner: string
  repository: string
  /** The container image without its tag. */
  image: string
}

/** Where a release is published. Everything that names an address is made from these three. */
export const PUBLICATION: Publication = JSON.parse(readFileSync(join(import.meta.dirname, 'publication.json'), 'utf8'))

const { owner, repository } = PUBLICATION
export const REPOSITORY_URL = `https://github.com/${owner}/${repository}`
/** A repository of its own: Home Assistant clones all of it. */
export const APP_REPOSITORY_URL = `https://github.com/${owner}/home-assistant-apps`
export const MAINTAINER = `${owner} <${owner}@users.noreply.github.com>`

export const pageUrl = (path: string): string => `${REPOSITORY_URL}/blob/main/${path}`
export const downloadUrl = (version: string, file: string): string =>
  `${REPOSITORY_URL}/releases/download/v${version}/${file}`

/** In a package a link relative to the repository leads nowhere. */
export const withFullLinks = (page: string): string => page.replaceAll('](../', `](${pageUrl('')}`)
