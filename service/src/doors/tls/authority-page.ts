import { createHash } from 'node:crypto'
import { type AuthorityWords, wordsFor } from './authority-words.ts'
import type { Authority } from './local.ts'

/** The website's look, without its files: those come only over HTTPS. */
const STYLE = `
:root { color-scheme: light dark; --surface: light-dark(#f4f4f2, #121315); --raised: light-dark(#fff, #1b1d20);
  --line: light-dark(#dcdcd8, #33373c); --ink: light-dark(#1a1b1d, #f2f2f0); --soft: light-dark(#4e5156, #b9bcc1);
  --on-ink: light-dark(#fff, #17181a); --focus: light-dark(#1d5fd1, #8ab4ff); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 40rem; padding: 1.5rem 1rem 3rem; background: var(--surface); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.125rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 .75rem; }
.soft { color: var(--soft); }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: 14px; padding: 1rem; margin: 0 0 1rem; }
.card > :last-child { margin-bottom: 0; }
a { color: inherit; display: inline-block; min-height: 44px; padding: .625rem 0; overflow-wrap: anywhere; }
a.main { display: block; text-align: center; text-decoration: none; background: var(--ink); color: var(--on-ink);
  border-radius: 14px; padding: .625rem 1rem; font-weight: 600; margin: 0 0 1rem; }
code { display: block; font: .9375rem/1.6 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
summary { min-height: 44px; padding: .625rem 0; font-weight: 600; cursor: pointer; }
ol { margin: 0 0 .75rem; padding-left: 1.5rem; }
li { margin: 0 0 .5rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

interface AuthorityPageParts {
  authority: Pick<Authority, 'fingerprint'>
  /** Where the service is reached once the device trusts it; the first is how the device came. */
  addresses: string[]
  language: string
  userAgent: string
}

/** How to take the authority, for each kind of device; works without scripts. */
export function authorityPage({ authority, addresses, language, userAgent }: AuthorityPageParts): string {
  const words = wordsFor(language)
  const links = addresses.map((url) => `<p>${words.open} <a href="${escaped(url)}">${escaped(url)}</a></p>`)
  return `<!doctype html>
<html lang="${words.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hypocaust: ${words.title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${words.title}</h1>
<p class="soft">${words.intro}</p>
<a class="main" href="/authority.crt">${words.take}</a>
<div class="card"><p>${words.compare}</p><code>SHA-256 ${escaped(spaced(authority.fingerprint))}</code></div>
<div class="card">${systems(words, userAgent)}</div>
<h2>${words.after}</h2>
<div class="card">${links.join('')}${addresses.length > 1 ? `<p class="soft">${words.names}</p>` : ''}</div>
<p class="soft">${words.reach} ${words.remove}</p>
<a href="/authority?lang=${words.other.lang}" lang="${words.other.lang}">${words.other.label}</a>
</main>
</body>
</html>
`
}

const systems = ({ systems }: AuthorityWords, userAgent: string): string =>
  systems
    .map(({ name, agent, steps }) => {
      const list = steps.map((step) => `<li>${escaped(step)}</li>`).join('')
      return `<details${agent.test(userAgent) ? ' open' : ''}><summary>${name}</summary><ol>${list}</ol></details>`
    })
    .join('')

/** Breaks between the pairs on a narrow screen. */
const spaced = (fingerprint: string): string => fingerprint.replaceAll(':', ' ')

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
