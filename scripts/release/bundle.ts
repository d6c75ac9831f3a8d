import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { ROOT } from './shell.ts'

/** A thread's file is named relative to its user; it becomes a file of the bundle. */
const THREAD = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g

/** V8 keeps a file with a single character beyond Latin-1 at two bytes for each of its characters. */
const ASCII_ONLY = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: false, asciiOnly: true },
} as const

/** Bundles programs into a folder and returns the files they are made of. */
export async function bundlePrograms(folder: string, programs: Record<string, string>): Promise<{ modules: string[] }> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(ROOT, file)])),
    platform: 'node',
    // Libraries that also run elsewhere name these, and never reach them on Node.
    external: ['bun:sqlite', 'pg-native'],
    plugins: [threads(), builtins()],
    // rolldown 1.2 declares a constant of its CommonJS files twice.
    resolve: { alias: { '@opentelemetry/api': join(ROOT, 'node_modules/@opentelemetry/api/dist/index.mjs') } },
    onLog(_level, log) {
      throw new Error(`rolldown: ${log.message}`)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    chunkFileNames: '[name].js',
    comments: false,
    minify: ASCII_ONLY,
  })
  return { modules: output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])) }
}

function threads(): Plugin {
  return {
    name: 'threads',
    async transform(code, id) {
      if (id.includes('node_modules')) return null
      const references = new Map<string, string>()
      for (const [, path = ''] of code.matchAll(THREAD)) {
        const found = await this.resolve(`${path}.ts`, id)
        if (!found) this.error(`no ${path}.ts beside ${id}`)
        references.set(path, this.emitFile({ type: 'chunk', id: found.id }))
      }
      if (references.size === 0) return null
      return code.replace(THREAD, (_, path) => `new URL(import.meta.ROLLUP_FILE_URL_${references.get(path)})`)
    },
  }
}

/**
 * Node's own modules without the list of names that an `import` of them makes: it reads every property, and with it
 * loads what stands behind each, a fetch and a WebSocket for `node:http`. Here only what is used is read, and what is
 * loaded by reading it is a module of its own, so that only the files that use it load it.
 */
function builtins(): Plugin {
  const PREFIX = '\0builtin:'
  return {
    name: 'builtins',
    resolveId(source, importer, { kind }) {
      if (source.startsWith(PREFIX)) return source
      const isOwn = importer?.startsWith('\0') === true
      return isBuiltin(source) && kind === 'import-statement' && !isOwn ? `${PREFIX}${source}` : null
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return null
      const [name = '', property] = id.slice(PREFIX.length).split('#')
      if (property !== undefined)
        return {
          code: `const value = process.getBuiltinModule('${name}').${property}\nexport { value as ${property} }`,
          moduleSideEffects: false,
        }
      const builtin = process.getBuiltinModule(name) as object
      const names = Object.keys(builtin).filter((each) => /^[a-z_$][\w$]*$/i.test(each))
      const loadsMore = (each: string) => Object.getOwnPropertyDescriptor(builtin, each)?.get !== undefined
      return [
        `const builtin = process.getBuiltinModule('${name}')`,
        'const read = (name) => builtin[name]',
        'export default builtin',
        ...names.map((each, i) =>
          loadsMore(each)
            ? `export { ${each} } from '${PREFIX}${name}#${each}'`
            : `const _${i} = /* @__PURE__ */ read('${each}')\nexport { _${i} as ${each} }`,
        ),
      ].join('\n')
    },
  }
}
