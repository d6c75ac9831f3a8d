import type { Place } from './words.ts'

const paths = (places: Place[]): string[] => places.map(({ path }) => path).filter((path) => path !== '')
const quoted = (words: string[]): string => words.map((word) => `'${word}'`).join(' ')
const rooms = 'hypocaust room-names 2>/dev/null'

const bash = (places: Place[]): string => `# bash completion of hypocaust
_hypocaust() {
  local at='' word typed candidate
  local -a candidates=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in ${paths(places)
      .map((path) => `'${path}'`)
      .join('|')}) at="$at $word" ;; esac
  done
  case "$at" in
${places.map(({ path, words, takesRoom }) => `    '${path}') candidates=(${quoted(words)})${takesRoom ? `; mapfile -t -O "\${#candidates[@]}" candidates < <(${rooms})` : ''} ;;`).join('\n')}
  esac
  typed="\${COMP_WORDS[COMP_CWORD]//[\\\\\\"\\']/}"
  COMPREPLY=()
  for candidate in "\${candidates[@]}"; do
    if [[ "\${candidate,,}" == "\${typed,,}"* ]]; then COMPREPLY+=("$(printf %q "$candidate")"); fi
  done
}
complete -F _hypocaust hypocaust`

const zsh = (places: Place[]): string => `#compdef hypocaust
_hypocaust() {
  local at='' word
  local -a candidates
  for word in "\${(@Q)words[2,CURRENT-1]}"; do
    case "$at $word" in (${paths(places)
      .map((path) => `'${path}'`)
      .join('|')}) at="$at $word" ;; esac
  done
  case "$at" in
${places.map(({ path, words, takesRoom }) => `    ('${path}') candidates=(${quoted(words)}${takesRoom ? ` "\${(@f)$(${rooms})}"` : ''}) ;;`).join('\n')}
  esac
  compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a candidates
}
compdef _hypocaust hypocaust`

const fish = (places: Place[]): string => `# fish completion of hypocaust
function __hypocaust_at
  set -l at ''
  for word in (commandline -opc)[2..]
    if contains -- "$at $word" ${quoted(paths(places))}
      set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c hypocaust -f
${places
  .flatMap(({ path, words, takesRoom }) => [
    `complete -c hypocaust -n "__hypocaust_at '${path}'" -a "${words.join(' ')}"`,
    ...(takesRoom ? [`complete -c hypocaust -n "__hypocaust_at '${path}'" -a "(${rooms})"`] : []),
  ])
  .join('\n')}`

/** The text to be read by each shell. */
export const SHELLS = { bash, zsh, fish }
export type Shell = keyof typeof SHELLS
