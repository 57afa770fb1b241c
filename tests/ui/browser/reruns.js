// Counts what the page asks of Streamlit's server and what the server has answered. The page's own attributes cannot say
// so: between a click and the server's first word they still say that nothing runs.
//
// Read by settle() in screen.py. The numbers of protocol buffers' fields are put in for $NAMES$.
(() => {
  const state = { asked: 0, isOpen: false, isAnswered: false, token: null, frames: 0 };

  // The fields of a message: [number, value], where value is a number or the bytes of what has a length.
  function* fieldsOf(bytes) {
    let at = 0;
    const varint = () => {
      let value = 0, factor = 1;
      for (;;) {
        const byte = bytes[at++];
        value += (byte & 127) * factor;
        if (byte < 128) return value;
        factor *= 128;
      }
    };
    while (at < bytes.length) {
      const tag = varint();
      const number = Math.floor(tag / 8), kind = tag % 8;
      if (kind === 0) yield [number, varint()];
      else if (kind === 2) {
        const length = varint();
        yield [number, bytes.subarray(at, at + length)];
        at += length;
      } else at += kind === 1 ? 8 : 4;
    }
  }

  const isAsking = (bytes) => {
    for (const [number, value] of fieldsOf(bytes)) {
      if (number !== $RERUN_SCRIPT$) continue;
      // A fragment that runs again by itself is nobody's wish, and a late one gets no answer.
      for (const [inner, flag] of fieldsOf(value)) if (inner === $IS_AUTO_RERUN$ && flag) return false;
      return true;
    }
    return false;
  };

  const heard = (event) => {
    if (!(event.data instanceof ArrayBuffer)) return;
    for (const [number, value] of fieldsOf(new Uint8Array(event.data))) {
      if (number === $NEW_SESSION$) state.isOpen = true;
      if (number === $SCRIPT_FINISHED$ && value !== $FINISHED_EARLY_FOR_RERUN$ && state.isOpen) state.isAnswered = true;
    }
  };

  const known = new WeakSet();
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (!known.has(this)) {
      known.add(this);
      this.addEventListener("message", heard);
    }
    const bytes = data instanceof Uint8Array ? data : data instanceof ArrayBuffer ? new Uint8Array(data) : null;
    if (bytes && isAsking(bytes)) {
      state.asked += 1;
      state.isOpen = state.isAnswered = false;
    }
    return send.call(this, data);
  };

  // Whether all was answered a few frames ago and nothing was asked since: what a click asks for is sent within a frame.
  window.faithviewIsAnswered = (token) => {
    if (state.token !== token) [state.token, state.frames] = [token, 0];
    state.frames = state.isAnswered ? state.frames + 1 : 0;
    return state.frames > 2;
  };
})();
