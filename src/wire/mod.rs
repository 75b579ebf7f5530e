//! How a server's state is fetched: the allowed GETs, and recorded answers.
