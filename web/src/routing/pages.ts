import type { ComponentType } from 'react'
import { BASE } from '../api/base.ts'
import { type Destination, paramsIn, pathTo } from './address.ts'

/** A page of the website: its path, and where it comes from unless it is there already. */
export interface Page {
  pattern: string
  component?: ComponentType
  load?(): Promise<{ default: ComponentType }>
}

/** What an address shows; no page where there is none. */
export interface Route {
  path: string
  params: Record<string, string>
  page: Page | undefined
}

const pages: Page[] = []

export const hrefOf = (destination: Destination): string => `${BASE}${pathTo(destination)}`

export function addPages(more: Page[]): void {
  pages.push(...more)
}

/** A path in full words counts before one with names to fill in. */
export function routeOf(pathname: string): Route {
  const path = pathname.slice(BASE.length).replace(/\/+$/, '') || '/'
  const found = pages
    .map((page) => ({ path, page, params: paramsIn(page.pattern, path) }))
    .filter((route): route is Route & { page: Page } => route.params !== undefined)
  return found.find(({ page }) => page.pattern === path) ?? found[0] ?? { path, params: {}, page: undefined }
}

/** What was refused is asked for again. */
export async function loaded(page: Page): Promise<void> {
  page.component ??= (await page.load?.())?.default
}

export function preload(pathname: string): void {
  const { page } = routeOf(pathname)
  if (page) loaded(page).catch(() => undefined)
}
