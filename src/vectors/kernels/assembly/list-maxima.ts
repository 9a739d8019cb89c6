// Greatest values of the columns of a table, over lists of its rows.

/**
 * out[l * padded + c] = the greatest of table[row * width + c] over the rows of list `l`, and 0 where none is above; `padded` is
 * `width` rounded up to a multiple of 4, and what stands beyond `width` is anything. List `l` ends at `ends[l]` in `rows`. The
 * table is followed by 12 bytes that may be read. NaN is passed over.
 */
export function ofLists(table: usize, width: i32, rows: usize, ends: usize, lists: i32, out: usize): void {
  const step = <usize>width << 2;
  let from: usize = rows;
  for (let l = 0; l < lists; l++) {
    const end = rows + (<usize>load<u32>(ends + (<usize>l << 2)) << 2);
    for (let c = 0; c < width; c += 8) {
      const column = table + (<usize>c << 2);
      let low = f32x4.splat(0);
      if (c + 4 < width) {
        let high = f32x4.splat(0);
        for (let at = from; at < end; at += 4) {
          const cell = column + <usize>load<u32>(at) * step;
          low = f32x4.pmax(low, v128.load(cell));
          high = f32x4.pmax(high, v128.load(cell, 16));
        }
        v128.store(out, low);
        v128.store(out, high, 16);
        out += 32;
      } else {
        for (let at = from; at < end; at += 4)
          low = f32x4.pmax(low, v128.load(column + <usize>load<u32>(at) * step));
        v128.store(out, low);
        out += 16;
      }
    }
    from = end;
  }
}

/** out[i] = the greatest of row `i`, and 0 when none is above. NaN is passed over. */
export function ofRows(table: usize, width: i32, count: i32, out: usize): void {
  for (let i = 0; i < count; i++) {
    let most: f32 = 0;
    for (let c = 0; c < width; c++) {
      const value = load<f32>(table);
      if (value > most) most = value;
      table += 4;
    }
    store<f32>(out + (<usize>i << 2), most);
  }
}
