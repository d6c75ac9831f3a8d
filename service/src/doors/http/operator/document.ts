import { Html, html, timestampOf } from '@hypocaust/domain'
import type { ConsoleLanguage, Word, Words } from './words.ts'

/** What every page of the console needs. */
export interface Shown {
  language: ConsoleLanguage
  t: Words
  /** Goes with every form; empty before signing in. */
  csrf: string
  path: string
}

const PAGES = {
  '/': 'buildings',
  '/tenants': 'tenants',
  '/limits': 'limits',
  '/errors': 'errors',
  '/acts': 'acts',
} as const

export function document({ language, t, csrf, path }: Shown, body: Html): string {
  const links = Object.entries(PAGES).map(
    ([to, word]) => html`<a href="${to}"${to === path ? current : none}>${t(word)}</a>`,
  )
  const signOut = html`<form method="post" action="/sign-out">${hidden(csrf)}<button>${t('sign_out')}</button></form>`
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${t('title')}</title><link rel="stylesheet" href="/style.css"></head>
<body><main><header><h1>${t('title')}</h1>${csrf === '' ? none : signOut}</header>
${csrf === '' ? none : html`<nav aria-label="${t('pages')}">${links}</nav>`}${body}</main></body></html>`.text
}

const current = new Html(' aria-current="page"')
export const none = html``

export const hidden = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`

export const alertBox = (text: string): Html => html`<p role="alert">${text}</p>`

/** The first cell of each row names it. */
export function table(t: Words, head: Word[], rows: (Html | string | number)[][]): Html {
  if (rows.length === 0) return html`<p>${t('none')}</p>`
  const cells = ([first = '', ...others]: (Html | string | number)[]) =>
    html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`
  return html`<div class="wide" tabindex="0"><table><thead><tr>${head.map((word) => html`<th scope="col">${t(word)}</th>`)}</tr></thead>
<tbody>${rows.map(cells)}</tbody></table></div>`
}

export const facts = (entries: [string, Html | string | number][]): Html =>
  html`<dl>${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** To the second: milliseconds help nobody here. */
export const moment = (t: Words, atMs: number | null): string =>
  atMs === null ? t('never') : timestampOf(Number(atMs)).slice(0, 19).replace('T', ' ')
