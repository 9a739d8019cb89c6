import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { root } from '../built-program.ts'
import { bytesIn, stage } from './stage.ts'

// `npm run stage -- <folder>`: the product with its packages, as images and bundles hold it; and how large an image with it is.

/**
 * `gcr.io/distroless/nodejs22-debian12`, unpacked, as `docker images` shows it (labs.iximiuz.com, "How to choose a Node.js container
 * image"). CI measures the image itself.
 */
const baseMegabytes = 141
const mostMegabytes = 400
/** What `strip` takes off the store's library in the Dockerfile, on Linux x64. */
const strippedMegabytes = 31

const folder = process.argv[2]
if (folder === undefined) throw new Error('Say into which folder: npm run stage -- <folder>')
const out = resolve(folder)
if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty. Give a new folder.`)
await stage(out, root)
const megabytes = bytesIn(out) / 1e6
console.log(
  `${out}: ${megabytes.toFixed(0)} MB; an image of it ${(megabytes + baseMegabytes).toFixed(0)} MB, stripped ${(megabytes + baseMegabytes - strippedMegabytes).toFixed(0)} MB, of ${mostMegabytes} at most`,
)
