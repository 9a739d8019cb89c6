/** Where the store lies: a local folder, or a URL of object storage that LanceDB understands (`s3://`, `s3+ddb://`, `gs://`, `az://`). */
export type StoreLocation = string

/** Whether a store lies in object storage, where there is no lock, and files are never replaced. */
export const isRemote = (location: StoreLocation): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(location)
