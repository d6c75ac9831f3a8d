import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newsIn } from '../build/whats-new.ts'

test('the news are the first sentences about the website in the newest section, new things first', () => {
  const changelog = `# Changelog
## Unreleased
### Fixed
- Website: a repair.
### Added
- Gateway: not for this page.
- Website: people have *names*. Each chooses one.
- Website: [the week](docs/x.md) can be printed: on paper.
### Changed
- Website: steps stand at the left.
## 0.1.0
### Added
- Website: of an older version.
`
  expect(newsIn(changelog)).toEqual(['People have names.', 'The week can be printed.', 'Steps stand at the left.'])
})

test('those of today are short', () => {
  const news = newsIn(readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8'))
  expect(news.filter((line) => line.length > 250)).toEqual([])
})
